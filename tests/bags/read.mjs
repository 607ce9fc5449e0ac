// read.mjs FILE TOPIC: the messages of one topic, one line each: time in nanoseconds, then the efforts. An independent
// program reads what Roberval has written: by the index of the file, and with the definition that the file has.
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";

// packages are those of the working directory
const require = createRequire(join(process.cwd(), "package.json"));
const { McapIndexedReader } = require("@mcap/core");
const { parse } = require("@foxglove/rosmsg");
const { MessageReader } = require("@foxglove/rosmsg2-serialization");

const [path, topic] = process.argv.slice(2);
const bytes = await readFile(path);
const reader = await McapIndexedReader.Initialize({
  readable: {
    size: async () => BigInt(bytes.length),
    read: async (offset, size) => new Uint8Array(bytes.buffer, bytes.byteOffset + Number(offset), Number(size)),
  },
});
const readers = new Map();
for await (const message of reader.readMessages({ topics: [topic] })) {
  const { schemaId } = reader.channelsById.get(message.channelId);
  if (!readers.has(schemaId)) {
    const text = new TextDecoder().decode(reader.schemasById.get(schemaId).data);
    readers.set(schemaId, new MessageReader(parse(text, { ros2: true })));
  }
  const { name, effort } = readers.get(schemaId).readMessage(message.data);
  console.log([message.logTime, ...name, ...effort].join(","));
}
