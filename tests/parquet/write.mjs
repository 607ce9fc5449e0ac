// node write.mjs TESTS: the Parquet files of the tests, written by three independent programs (npm install first).
// TESTS/corpus/parquet: flat_* has the recording of tests/log/test_formats.c, kinds_* and list_* what test_parquet.c says.
// TESTS/data/lerobot: a data set with two episodes.
import fs from "fs";
import { gzipSync } from "zlib";
import * as arrow from "apache-arrow";
import { parquetWriteFile } from "hyparquet-writer";
import * as module from "parquet-wasm";
import parquetjs from "@dsnp/parquetjs";

const wasm = module.default ?? module;
const corpus = `${process.argv[2]}/corpus/parquet`, data = `${process.argv[2]}/data/lerobot`;
fs.mkdirSync(corpus, { recursive: true });
const k = Array.from({ length: 40 }, (_, i) => i);
const t = k.map((i) => i / 64), q = k.map((i) => ((i * 37) % 101) / 32 - 1), tau = k.map((i) => ((i * 53) % 97) / 8 - 6);

function writeWasm(path, table, codec, version, dictionary) {
  const properties = new wasm.WriterPropertiesBuilder().setCompression(wasm.Compression[codec]).setDictionaryEnabled(dictionary)
    .setWriterVersion(version === 1 ? wasm.WriterVersion.V1 : wasm.WriterVersion.V2).setMaxRowGroupSize(16)
    .setDataPageSizeLimit(64).setWriteBatchSize(8).build();
  fs.writeFileSync(path, wasm.writeParquet(wasm.Table.fromIPCStream(arrow.tableToIPC(table, "stream")), properties));
}

// the recording, as parquet-wasm, hyparquet-writer and parquetjs write it
for (const codec of ["UNCOMPRESSED", "SNAPPY", "GZIP", "ZSTD"])
  for (const version of [1, 2])
    for (const dictionary of [false, true])
      writeWasm(`${corpus}/flat_wasm_${codec.toLowerCase()}_${version}${dictionary ? "_dictionary" : ""}`,
        arrow.tableFromArrays({ t: Float64Array.from(t), q1: Float64Array.from(q), tau1: Float64Array.from(tau) }), codec, version, dictionary);
for (const codec of ["UNCOMPRESSED", "SNAPPY", "GZIP"])
  for (const encoding of ["PLAIN", "BYTE_STREAM_SPLIT"])
    parquetWriteFile({
      filename: `${corpus}/flat_hyparquet_${codec.toLowerCase()}_${encoding.toLowerCase()}`, codec, compressors: { GZIP: (x) => gzipSync(x) },
      rowGroupSize: [8, 16], pageSize: 64, columnData: [
        { name: "t", data: Float64Array.from(t), type: "DOUBLE", encoding },
        { name: "q1", data: Float64Array.from(q), type: "DOUBLE", encoding, nullable: false },
        { name: "tau1", data: tau, type: "FLOAT", encoding }],
    });
const schema = new parquetjs.ParquetSchema({ t: { type: "DOUBLE" }, q1: { type: "DOUBLE", optional: true, compression: "SNAPPY" },
  tau1: { type: "FLOAT", compression: "GZIP" } });
const flat = await parquetjs.ParquetWriter.openFile(schema, `${corpus}/flat_parquetjs`, { rowGroupSize: 16 });
for (const i of k) await flat.appendRow({ t: t[i], q1: q[i], tau1: tau[i] });
await flat.close();

// types, missing values, text beside numbers
parquetWriteFile({ filename: `${corpus}/kinds_hyparquet`, columnData: [
  { name: "i", data: Int32Array.from(k, (i) => i * i - 300), type: "INT32", encoding: "DELTA_BINARY_PACKED" },
  { name: "k", data: BigInt64Array.from(k, (i) => BigInt(i) * 1000000007n - 5n), type: "INT64", encoding: "DELTA_BINARY_PACKED" },
  { name: "b", data: k.map((i) => i % 3 === 0), type: "BOOLEAN" },
  { name: "s", data: k.map((i) => `a${i}`), type: "STRING" },
  { name: "d", data: k.map((i) => new Date(1700000000000 + i * 10)), type: "TIMESTAMP" },
  { name: "n", data: k.map((i) => (i % 4 === 1 ? undefined : i)), type: "DOUBLE" }] });
const kinds = new arrow.Table({
  i: arrow.vectorFromArray(k.map((i) => i * i - 300), new arrow.Int32()),
  k: arrow.vectorFromArray(k.map((i) => BigInt(i) * 1000000007n - 5n), new arrow.Int64()),
  b: arrow.vectorFromArray(k.map((i) => i % 3 === 0), new arrow.Bool()),
  s: arrow.vectorFromArray(k.map((i) => `a${i}`), new arrow.Utf8()),
  d: arrow.vectorFromArray(k.map((i) => 1700000000000 + i * 10), new arrow.TimestampNanosecond()),
  n: arrow.vectorFromArray(k.map((i) => (i % 4 === 1 ? null : i)), new arrow.Float64()),
});
writeWasm(`${corpus}/kinds_wasm`, kinds, "SNAPPY", 1, true);
writeWasm(`${corpus}/kinds_wasm_2`, kinds, "SNAPPY", 2, false);

// lists of numbers
const item = new arrow.Field("item", new arrow.Float32(), true);
const lists = new arrow.Table({
  q: arrow.vectorFromArray(k.map((i) => [i, i + 0.5, -i]), new arrow.List(item)),
  action: arrow.vectorFromArray(k.map((i) => [i, 2 * i]), new arrow.FixedSizeList(2, item)),
  t: arrow.vectorFromArray(t, new arrow.Float32()),
  task: arrow.vectorFromArray(k.map(() => "grasp"), new arrow.Utf8()),
});
for (const version of [1, 2])
  for (const dictionary of [false, true])
    writeWasm(`${corpus}/list_wasm_${version}${dictionary ? "_dictionary" : ""}`, lists, "ZSTD", version, dictionary);
const listSchema = new parquetjs.ParquetSchema({ q: { type: "DOUBLE", repeated: true }, action: { type: "FLOAT", repeated: true, compression: "SNAPPY" },
  t: { type: "DOUBLE" }, task: { type: "UTF8" } });
const list = await parquetjs.ParquetWriter.openFile(listSchema, `${corpus}/list_parquetjs`, { rowGroupSize: 16 });
for (const i of k) await list.appendRow({ q: [i, i + 0.5, -i], action: [i, 2 * i], t: t[i], task: "grasp" });
await list.close();

// a data set of LeRobot: episodes of 30 and 20 rows
const names = ["shoulder.pos", "elbow.pos", "gripper.pos"], rows = Array.from({ length: 50 }, (_, i) => i);
const frame = rows.map((i) => (i < 30 ? i : i - 30)), episode = rows.map((i) => (i < 30 ? 4 : 5));
const float = (values) => arrow.vectorFromArray(values, new arrow.Float32()), whole = (values) => arrow.vectorFromArray(values.map(BigInt), new arrow.Int64());
const vector = (of) => arrow.vectorFromArray(rows.map(of), new arrow.FixedSizeList(3, item));
fs.mkdirSync(`${data}/meta`, { recursive: true });
fs.mkdirSync(`${data}/data/chunk-000`, { recursive: true });
writeWasm(`${data}/data/chunk-000/file-000.parquet`, new arrow.Table({
  "observation.state": vector((i) => [i / 8, -i / 4, 0.5]), action: vector((i) => [i / 8 + 1, -i / 4 + 1, 0.5]),
  "observation.effort": vector((i) => [i, 2 * i, 0]),
  timestamp: float(frame.map((i) => i / 50)), frame_index: whole(frame), episode_index: whole(episode),
  index: whole(rows.map((i) => i + 200)), task_index: whole(rows.map(() => 0)),
}), "SNAPPY", 1, true);
const feature = (labels) => ({ dtype: "float32", shape: [labels.length], names: labels });
fs.writeFileSync(`${data}/meta/info.json`, `${JSON.stringify({ codebase_version: "v3.0", robot_type: "two_link", fps: 50, features: {
  "observation.state": feature(names), action: feature(names), "observation.effort": { dtype: "float32", shape: [3], names: { motors: ["shoulder", "elbow", "gripper"] } },
} }, null, 2)}\n`);
