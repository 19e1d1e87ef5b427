// Sends requests to the API that have to succeed.

import assert from "node:assert/strict";
import type { Person, TestApp } from "./harness.ts";

/** Returns a function that sends a request to `server()` on behalf of somebody and returns the answer's body. */
export const actIn =
  (server: () => TestApp) =>
  async (by: Person, method: string, path: string, json?: unknown): Promise<any> => {
    const answer = await server().request(method, path, {
      token: by.token,
      ...(json !== undefined && { json }),
    });
    assert.ok(answer.status < 300, `${method} ${path}: ${answer.status} ${answer.text}`);
    return answer.json;
  };
