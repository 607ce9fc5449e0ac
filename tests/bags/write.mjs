// node write.mjs LOG.csv FOLDER: write the recording as MCAP files, in every combination of compression,
// chunks and summary, with another topic beside it. LOG.csv has the columns t (ns), q*, dq*, tau*.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
// packages are beside the working folder, not beside this file
const load = createRequire(join(process.cwd(), 'package.json'));
const { McapWriter } = load('@mcap/core');
const { MessageWriter } = load('@foxglove/rosmsg2-serialization');
const { parse } = load('@foxglove/rosmsg');

const [log, folder] = process.argv.slice(2);
const lines = readFileSync(log, 'utf8').trim().split('\n');
const names = lines[0].split(',');
const rows = lines.slice(1).map((line) => line.split(',').map(Number));
const n = names.filter((name) => /^q\d/.test(name)).length;

const line = '================================================================================\n';
const header = `${line}MSG: std_msgs/Header\nbuiltin_interfaces/Time stamp\nstring frame_id\n${line}` +
  'MSG: builtin_interfaces/Time\nint32 sec\nuint32 nanosec\n';
const state = `std_msgs/Header header\nstring[] name\nfloat64[] position\nfloat64[] velocity\nfloat64[] effort\n${header}`;
const text = 'string data\n';

class Memory {
  parts = []; size = 0n;
  async write(bytes) { this.parts.push(Buffer.from(bytes)); this.size += BigInt(bytes.byteLength); }
  position() { return this.size; }
}
const pack = { zstd: ['zstd', '-c', '-q'], lz4: ['lz4', '-c', '-q'] };

async function write(path, { compression, chunks, summary }) {
  const memory = new Memory();
  const writer = new McapWriter({
    writable: memory, useChunks: chunks, chunkSize: 50000,
    useStatistics: summary, useSummaryOffsets: summary, repeatSchemas: summary, repeatChannels: summary,
    useMessageIndex: summary, useChunkIndex: summary, useAttachmentIndex: summary, useMetadataIndex: summary,
    compressChunk: compression === 'none' ? undefined : (data) => {
      const [program, ...options] = pack[compression];
      const run = spawnSync(program, options, { input: data, maxBuffer: 1 << 28 });
      if (run.status !== 0) throw new Error(`${program}: ${run.stderr}`);
      return { compression, compressedData: run.stdout };
    },
  });
  await writer.start({ profile: 'ros2', library: 'test' });
  const encoder = new TextEncoder();
  const schema = async (name, definition) =>
    writer.registerSchema({ name, encoding: 'ros2msg', data: encoder.encode(definition) });
  const channel = async (topic, schemaId) =>
    writer.registerChannel({ topic, schemaId, messageEncoding: 'cdr', metadata: new Map() });
  const noise = await channel('/rosout', await schema('std_msgs/msg/String', text));
  const states = await channel('/joint_states', await schema('sensor_msgs/msg/JointState', state));
  const write_text = new MessageWriter(parse(text, { ros2: true }));
  const write_state = new MessageWriter(parse(state, { ros2: true }));
  const joints = Array.from({ length: n }, (_, j) => process.env.JOINTS.split(',')[j]);
  for (let k = 0; k < rows.length; k++) {
    const [t, ...values] = rows[k];
    const logTime = BigInt(t) + 5000000n;
    const add = async (channelId, data) =>
      writer.addMessage({ channelId, sequence: k, publishTime: BigInt(t), logTime, data });
    if (k % 7 === 0) await add(noise, write_text.writeMessage({ data: `row ${k} of ${rows.length}` }));
    await add(states, write_state.writeMessage({
      header: { stamp: { sec: Math.floor(t / 1e9), nanosec: t % 1e9 }, frame_id: 'base' },
      name: joints, position: values.slice(0, n), velocity: values.slice(n, 2 * n), effort: values.slice(2 * n),
    }));
  }
  await writer.end();
  writeFileSync(path, Buffer.concat(memory.parts));
}

for (const compression of ['none', 'zstd', 'lz4'])
  for (const chunks of [true, false])
    for (const summary of [true, false]) {
      if (!chunks && compression !== 'none') continue;
      const name = `${compression}-${chunks ? 'chunks' : 'plain'}-${summary ? 'summary' : 'bare'}.mcap`;
      await write(`${folder}/${name}`, { compression, chunks, summary });
      console.log(name);
    }
