/* libroberval_cuda: the table of a CUDA device. */
#include <cstdio>

#include "device/cuda_loop.h"

#define SLICE_S 0.15  // of one launch, so that a program can be stopped

static double seconds;  // of the device in the last call
static char failure[256];
static bool keeps_memory;  // the device has a pool for it

static bool good(cudaError_t error) {
  if (error != cudaSuccess && !failure[0])
    snprintf(failure, sizeof failure, "the CUDA device failed: %s", cudaGetErrorString(error));
  return error == cudaSuccess;
}

static int finish(int result, char *text, size_t size) {
  if (!failure[0]) return result;
  snprintf(text, size, "%s", failure);
  (void)cudaGetLastError();
  return 2;
}

static int cuda_open(char *text, size_t size) {
  int count = 0;
  const cudaError_t error = cudaGetDeviceCount(&count);
  if (error != cudaSuccess || count < 1) {
    snprintf(text, size, "there is no CUDA device: %s",
             error == cudaSuccess ? "none is installed" : cudaGetErrorString(error));
    (void)cudaGetLastError();
    return 1;
  }
  cudaDeviceProp p;
  if (cudaGetDeviceProperties(&p, 0) != cudaSuccess) {
    snprintf(text, size, "the properties of the CUDA device cannot be read");
    return 1;
  }
  if (p.major < 8) {
    snprintf(text, size, "%s has compute capability %d.%d; 8.0 or more is needed", p.name, p.major,
             p.minor);
    return 1;
  }
  snprintf(text, size, "%s, compute capability %d.%d, %d multiprocessors", p.name, p.major, p.minor,
           p.multiProcessorCount);
  // memory that is freed is kept for the next call: many calls are short
  cudaMemPool_t pool;
  uint64_t most = UINT64_MAX;
  int pools = 0;
  keeps_memory =
      cudaDeviceGetAttribute(&pools, cudaDevAttrMemoryPoolsSupported, 0) == cudaSuccess && pools &&
      cudaDeviceGetDefaultMemPool(&pool, 0) == cudaSuccess &&
      cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &most) == cudaSuccess;
  (void)cudaGetLastError();
  return 0;
}

static double cuda_seconds(void) { return seconds; }

static void cuda_close(void) { (void)cudaDeviceReset(); }

/* ---- memory of one call ---- */

#define BLOCKS 32

struct allocations {
  void *at[BLOCKS];
  int count = 0;
  cudaEvent_t start = nullptr, stop = nullptr;
  allocations() {
    failure[0] = 0;
    seconds = 0;
    good(cudaEventCreate(&start));
    // the host sleeps meanwhile: its cores are needed
    good(cudaEventCreateWithFlags(&stop, cudaEventBlockingSync));
  }
  ~allocations() {
    for (int i = 0; i < count; i++) (void)(keeps_memory ? cudaFreeAsync(at[i], 0) : cudaFree(at[i]));
    if (start) (void)cudaEventDestroy(start);
    if (stop) (void)cudaEventDestroy(stop);
  }
  template <class T>
  T *take(size_t elements) {
    void *p = nullptr;
    if (elements == 0 || count == BLOCKS) return nullptr;
    const size_t bytes = elements * sizeof(T);
    if (!good(keeps_memory ? cudaMallocAsync(&p, bytes, 0) : cudaMalloc(&p, bytes))) return nullptr;
    at[count++] = p;
    return (T *)p;
  }
  /* a copy of an array of the host; NULL stays NULL */
  template <class T>
  T *copy(const T *from, size_t elements) {
    if (!from) return nullptr;
    T *p = take<T>(elements);
    if (p) good(cudaMemcpy(p, from, elements * sizeof(T), cudaMemcpyHostToDevice));
    return p;
  }
  template <class T>
  void back(T *to, const T *from, size_t elements) {
    if (to && from) good(cudaMemcpy(to, from, elements * sizeof(T), cudaMemcpyDeviceToHost));
  }
  void begin() { good(cudaEventRecord(start)); }
  /* waits; seconds since begin */
  double end() {
    float ms = 0;
    good(cudaGetLastError());
    good(cudaEventRecord(stop));
    good(cudaEventSynchronize(stop));
    if (!failure[0]) good(cudaEventElapsedTime(&ms, start, stop));
    return 1e-3 * ms;
  }
};

/* ---- closed loops ---- */

static int cuda_loop(const device_loop *l, const device_loop_arrays *a, device_continue *go,
                     void *self, char *text, size_t size) {
  static cuda_loop_launch *const launch[DEVICE_JOINTS] = {
      rbv_cuda_loop_1, rbv_cuda_loop_2, rbv_cuda_loop_3, rbv_cuda_loop_4,
      rbv_cuda_loop_5, rbv_cuda_loop_6, rbv_cuda_loop_7, rbv_cuda_loop_8};
  const size_t P = (size_t)l->plants, n = (size_t)l->chain.njoint, ticks = (size_t)l->ticks * n;
  const size_t trace = (size_t)device_samples(l) * n;  // of one plant
  const size_t groups = (size_t)whole_groups(l->plants);
  int delay = 0;
  for (size_t j = 0; j < n; j++)
    if (l->control[j].delay > delay) delay = l->control[j].delay;
  allocations memory;
  loop_memory m = {};
  m.parameters = memory.copy(a->parameters, DEVICE_PARAMETERS * P);
  m.seed = memory.copy(a->seed, P);
  m.qr = memory.copy(a->qr, ticks);
  m.ahead = memory.copy(a->ahead, ticks);
  m.model = memory.copy(a->model, ticks);
  m.recorded = memory.copy(a->recorded, ticks);
  m.q0 = memory.copy(a->q0, n);
  m.dq0 = memory.copy(a->dq0, n);
  m.values = memory.take<double>(DEVICE_PARAMETERS * groups);
  m.state = memory.take<double>(LOOP_STATE * groups);
  m.ring_late = memory.take<double>((size_t)l->late * n * P);
  m.ring_delay = memory.take<double>((size_t)delay * n * P);
  m.ring_read = memory.take<double>((size_t)l->loop_delay * n * P);
  m.sums = memory.take<double>(DEVICE_SUMS * n * P);
  m.outcome = memory.take<device_outcome>(P);
  m.samples = device_samples(l);
  for (int i = 0; i < DEVICE_TRACES; i++)
    if (device_wants(a->trace, l->plants, i)) m.trace[i] = memory.take<double>(trace * P);
  // all bits set: not a number
  for (int i = 0; i < DEVICE_TRACES; i++)
    if (m.trace[i]) good(cudaMemset(m.trace[i], 0xff, trace * P * sizeof(double)));
  int64_t step = 64;
  int result = 0;
  for (int64_t first = 0; first < l->ticks && result == 0 && !failure[0];) {
    const int64_t last = first + step < l->ticks ? first + step : l->ticks;
    memory.begin();
    launch[n - 1](l, &m, first, last);
    const double used = memory.end();
    seconds += used;
    const double wanted = used > 0 ? (double)(last - first) * SLICE_S / used : 64;
    step = wanted > 1e9 ? 1000000000 : wanted < 1 ? 1 : (int64_t)wanted;
    if (step > 8 * (last - first)) step = 8 * (last - first);
    first = last;
    if (go && !go(self)) result = 1;
  }
  memory.back(a->sums, m.sums, DEVICE_SUMS * n * P);
  memory.back(a->outcome, m.outcome, P);
  for (int i = 0; i < DEVICE_TRACES; i++)
    for (size_t p = 0; p < P && m.trace[i]; p++)
      memory.back(a->trace[p].of[i], m.trace[i] + p * trace, trace);
  return finish(result, text, size);
}

/* ---- Gram matrices ---- */

/* add the parts of each individual in their order */
__global__ void add_parts(double *__restrict__ gram, const double *__restrict__ part, int parts,
                          int64_t size, int64_t count) {
  const int64_t at = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (at >= count) return;
  const int64_t individual = at / size, entry = at % size;
  double sum = 0;
  for (int p = 0; p < parts; p++) sum += part[(individual * parts + p) * size + entry];
  gram[at] = sum;
}

static int cuda_gram(const device_gram *g, const device_gram_arrays *a, device_continue *go,
                     void *self, char *text, size_t size) {
  const size_t nn = (size_t)g->columns * (size_t)g->columns, count = (size_t)g->individuals;
  const int parts = gram_parts(g);
  allocations memory;
  device_gram_arrays d = {};
  d.basis = memory.copy(a->basis, 3 * (size_t)g->terms * (size_t)g->samples);
  d.coefficients = memory.copy(a->coefficients, count * (size_t)(g->njoint * g->terms));
  // individuals of one launch: few enough that it is short
  const size_t most = 1 + (size_t)(150000000 / g->samples), slice = count < most ? count : most;
  double *out = memory.take<double>(slice * nn), *pieces = memory.take<double>(slice * (size_t)parts * nn);
  static cuda_gram_launch *const launch[DEVICE_JOINTS] = {
      rbv_cuda_gram_1, rbv_cuda_gram_2, rbv_cuda_gram_3, rbv_cuda_gram_4,
      rbv_cuda_gram_5, rbv_cuda_gram_6, rbv_cuda_gram_7, rbv_cuda_gram_8};
  int result = 0;
  for (size_t first = 0; first < count && result == 0 && !failure[0]; first += slice) {
    const size_t now = count - first < slice ? count - first : slice, entries = now * nn;
    memory.begin();
    launch[g->njoint - 1](g, &d, pieces, parts, (int64_t)first, (int64_t)now);
    add_parts<<<(unsigned)((entries + 255) / 256), 256>>>(out, pieces, parts, (int64_t)nn,
                                                        (int64_t)entries);
    seconds += memory.end();
    memory.back(a->gram + first * nn, out, entries);
    if (go && !go(self)) result = 1;
  }
  return finish(result, text, size);
}

/* ---- repair ---- */

static int cuda_repair(const device_repair *r, const device_repair_arrays *a, device_continue *go,
                       void *self, char *text, size_t size) {
  static cuda_repair_launch *const launch[DEVICE_JOINTS] = {
      rbv_cuda_repair_1, rbv_cuda_repair_2, rbv_cuda_repair_3, rbv_cuda_repair_4,
      rbv_cuda_repair_5, rbv_cuda_repair_6, rbv_cuda_repair_7, rbv_cuda_repair_8};
  const size_t count = (size_t)r->individuals, terms = (size_t)r->terms;
  allocations memory;
  device_repair_arrays d = {};
  d.basis = memory.copy(a->basis, 4 * terms * (size_t)r->samples);
  d.coefficients = memory.copy(a->coefficients, count * (size_t)r->njoint * terms);
  d.values = memory.copy(a->values, (size_t)r->robots * DEVICE_VALUES);
  d.repaired = memory.take<device_repaired>(count);
  device_repaired *const all = d.repaired;
  int result = 0;
  // individuals of one launch: from the time of the last one
  size_t step = 512;
  for (size_t first = 0; first < count && result == 0 && !failure[0];) {
    const size_t now = count - first < step ? count - first : step;
    memory.begin();
    d.repaired = all + first;
    launch[r->njoint - 1](r, &d, (int64_t)first, (int64_t)now);
    const double used = memory.end();
    seconds += used;
    const double wanted = used > 0 ? (double)now * SLICE_S / used : 1;
    step = wanted > 8.0 * (double)now ? 8 * now : wanted < 1 ? 1 : (size_t)wanted;
    first += now;
    if (go && !go(self)) result = 1;
  }
  memory.back(a->repaired, all, count);
  return finish(result, text, size);
}

extern "C" __attribute__((visibility("default"))) const device_table rbv_device_table = {
    DEVICE_VERSION, cuda_open, cuda_loop, cuda_gram, cuda_repair, cuda_seconds, cuda_close};
