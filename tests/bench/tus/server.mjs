// SPDX-FileCopyrightText: 2026 The Fieldpost authors
// SPDX-License-Identifier: Apache-2.0
// A tus server as its authors show it: node server.mjs HOST PORT FOLDER
import { Server } from "@tus/server";
import { FileStore } from "@tus/file-store";

const [host, port, folder] = process.argv.slice(2);
const server = new Server({ path: "/files", datastore: new FileStore({ directory: folder }) });
server.listen({ host, port: Number(port) }, () => console.log("ready"));
