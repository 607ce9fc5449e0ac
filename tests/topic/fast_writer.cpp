// A publisher of joint states that is not Cyclone DDS: Fast DDS, with messages serialised by hand.
//
//   fast_writer TOPIC ROWS.csv RATE reliable|best-effort [KIND [DELAY_S]]
//
// Rows are t, positions, torques. Names are in another order than the joints, with one more joint,
// and no velocities. KIND: plain, or one of the hostile messages below, sent every 10th time.
// It waits for a subscriber, and prints the time of each message on the clock of the computer.
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include <fastdds/rtps/transport/UDPv4TransportDescriptor.h>
#include <fastrtps/utils/IPLocator.h>
#include <fastdds/dds/domain/DomainParticipant.hpp>
#include <fastdds/dds/domain/DomainParticipantFactory.hpp>
#include <fastdds/dds/publisher/DataWriter.hpp>
#include <fastdds/dds/publisher/Publisher.hpp>
#include <fastdds/dds/topic/TopicDataType.hpp>

using namespace eprosima::fastdds::dds;
using Bytes = std::vector<unsigned char>;

// bytes that are sent as they are
class RawType : public TopicDataType {
 public:
  RawType() {
    setName("sensor_msgs::msg::dds_::JointState_");
    m_typeSize = 1 << 20;
    m_isGetKeyDefined = false;
    auto_fill_type_information(false);
    auto_fill_type_object(false);
  }
  bool serialize(void *data, eprosima::fastrtps::rtps::SerializedPayload_t *to) override {
    const Bytes &b = *static_cast<Bytes *>(data);
    std::memcpy(to->data, b.data(), b.size());
    to->length = static_cast<uint32_t>(b.size());
    to->encapsulation = CDR_LE;
    return true;
  }
  bool deserialize(eprosima::fastrtps::rtps::SerializedPayload_t *, void *) override {
    return false;
  }
  std::function<uint32_t()> getSerializedSizeProvider(void *data) override {
    return [data] { return static_cast<uint32_t>(static_cast<Bytes *>(data)->size()); };
  }
  void *createData() override { return new Bytes; }
  void deleteData(void *data) override { delete static_cast<Bytes *>(data); }
  bool getKey(void *, eprosima::fastrtps::rtps::InstanceHandle_t *, bool) override { return false; }
};

struct Message {
  Bytes b{0, 1, 0, 0};
  void pad(size_t width) {
    while ((b.size() - 4) % width) b.push_back(0);
  }
  void u32(uint32_t x) {
    pad(4);
    for (int i = 0; i < 4; i++) b.push_back((x >> (8 * i)) & 255);
  }
  void real(double x) {
    pad(8);
    unsigned char raw[8];
    std::memcpy(raw, &x, 8);
    b.insert(b.end(), raw, raw + 8);
  }
  void text(const std::string &s) {
    u32(static_cast<uint32_t>(s.size() + 1));
    b.insert(b.end(), s.begin(), s.end());
    b.push_back(0);
  }
};

static Message make(double t, const std::vector<double> &row, int n, const std::string &kind) {
  Message m;
  const int64_t ns = std::llround(1e9 * (1000 + t));
  const bool many = kind == "many";
  const int count = many ? 10000 : n + 1;
  m.u32(static_cast<uint32_t>(ns / 1000000000));
  m.u32(static_cast<uint32_t>(ns % 1000000000));
  m.text("");
  m.u32(static_cast<uint32_t>(kind == "length" ? 4000000000u : static_cast<uint32_t>(count)));
  if (kind == "length") return m;
  for (int i = 0; i < count; i++)
    m.text(i == 0 ? "gripper" : "joint" + std::to_string(kind == "names" ? i + 100 : n + 1 - i));
  const int positions = kind == "short" ? count - 2 : count;
  m.u32(static_cast<uint32_t>(positions));
  for (int i = 0; i < positions; i++)
    m.real(i == 0 || i > n           ? 0.01
           : kind == "nan" && i == 2 ? NAN
                                     : row[static_cast<size_t>(n - i)]);
  m.u32(0);
  m.u32(static_cast<uint32_t>(count));
  for (int i = 0; i < count; i++) m.real(i == 0 || i > n ? 0 : row[static_cast<size_t>(2 * n - i)]);
  if (kind == "cut") m.b.resize(m.b.size() / 2);
  return m;
}

static double now_s() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

int main(int argc, char **argv) {
  if (argc < 5) return 2;
  const double rate = std::atof(argv[3]);
  const bool reliable = std::string(argv[4]) == "reliable";
  const std::string kind = argc > 5 ? argv[5] : "plain";
  std::this_thread::sleep_for(std::chrono::duration<double>(argc > 6 ? std::atof(argv[6]) : 0));
  std::vector<std::vector<double>> rows;
  std::vector<double> stamps;
  std::ifstream file(argv[2]);
  std::string line;
  for (std::getline(file, line); std::getline(file, line);) {
    std::stringstream cells(line);
    std::string cell;
    std::vector<double> row;
    std::getline(cells, cell, ',');
    stamps.push_back(std::atof(cell.c_str()));
    while (std::getline(cells, cell, ',')) row.push_back(std::strtod(cell.c_str(), nullptr));
    rows.push_back(row);
  }
  if (rows.empty()) return 3;
  const int n = static_cast<int>(rows[0].size() / 2);

  // loopback alone, and no multicast: peers are asked one by one
  DomainParticipantQos pq;
  auto udp = std::make_shared<eprosima::fastdds::rtps::UDPv4TransportDescriptor>();
  udp->interfaceWhiteList.push_back("127.0.0.1");
  udp->maxInitialPeersRange = 8;
  pq.transport().use_builtin_transports = false;
  pq.transport().user_transports.push_back(udp);
  eprosima::fastrtps::rtps::Locator_t peer;
  eprosima::fastrtps::rtps::IPLocator::setIPv4(peer, 127, 0, 0, 1);
  peer.port = 0;
  pq.wire_protocol().builtin.initialPeersList.push_back(peer);
  const char *domain = std::getenv("TEST_DOMAIN");
  auto *participant = DomainParticipantFactory::get_instance()->create_participant(
      static_cast<uint32_t>(domain ? std::atoi(domain) : 0), pq);
  if (!participant) return 4;
  TypeSupport type(new RawType);
  type.register_type(participant);
  auto *topic = participant->create_topic(std::string("rt") + argv[1], type.get_type_name(),
                                          TOPIC_QOS_DEFAULT);
  auto *publisher = participant->create_publisher(PUBLISHER_QOS_DEFAULT);
  DataWriterQos wq;
  wq.reliability().kind = reliable ? RELIABLE_RELIABILITY_QOS : BEST_EFFORT_RELIABILITY_QOS;
  wq.history().kind = KEEP_LAST_HISTORY_QOS;
  wq.history().depth = 100;
  wq.endpoint().history_memory_policy =
      eprosima::fastrtps::rtps::PREALLOCATED_WITH_REALLOC_MEMORY_MODE;
  auto *writer = publisher->create_datawriter(topic, wq);
  if (!writer) return 5;
  // the writer sees the reader before the reader sees the writer
  PublicationMatchedStatus status;
  for (int i = 0; i < 1000; i++) {
    writer->get_publication_matched_status(status);
    if (status.current_count > 0) break;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(1000));
  const double start = now_s();
  for (size_t k = 0; k < rows.size(); k++) {
    const double at = start + static_cast<double>(k) / rate;
    std::this_thread::sleep_for(std::chrono::duration<double>(at - now_s()));
    Message m = make(stamps[k], rows[k], n, k % 10 == 5 ? kind : "plain");
    writer->write(&m.b);
    std::printf("%zu %.6f\n", k, now_s());
  }
  writer->wait_for_acknowledgments({5, 0});
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  participant->delete_contained_entities();
  DomainParticipantFactory::get_instance()->delete_participant(participant);
  return 0;
}
