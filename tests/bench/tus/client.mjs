// SPDX-FileCopyrightText: 2026 The Fieldpost authors
// SPDX-License-Identifier: Apache-2.0
// Uploads a file, or every file below a folder, eight at a time: node client.mjs ADDRESS PATH
import { createReadStream, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { Upload } from "tus-js-client";

const [endpoint, path] = process.argv.slice(2);
const waiting = statSync(path).isDirectory()
  ? readdirSync(path, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
  : [path];

function send(file) {
  return new Promise((onSuccess, onError) => {
    new Upload(createReadStream(file), { endpoint, chunkSize: Infinity, onSuccess, onError }).start();
  });
}

async function work() {
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) await send(file);
}

await Promise.all(Array.from({ length: 8 }, work));
