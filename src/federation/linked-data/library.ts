// Loads jsonld without its HTTP client for fetching documents, which takes three quarters of its memory (5.5 MB);
// contexts.ts has all documents that are read.

import { createRequire, registerHooks } from "node:module";
import type jsonld from "jsonld";

const LOADER = "/node_modules/jsonld/lib/documentLoaders/node.js";
const NO_LOADER = `
  module.exports = () => async (url) => {
    throw new Error(\`\${url} is not loaded\`);
  };`;

const hooks = registerHooks({
  load: (url, context, next) =>
    url.endsWith(LOADER)
      ? { format: "commonjs", source: NO_LOADER, shortCircuit: true }
      : next(url, context),
});

export const library = createRequire(import.meta.url)("jsonld") as typeof jsonld;
hooks.deregister();
