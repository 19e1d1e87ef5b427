// The process of one group of test files: they share what they import, already compiled, and follow one
// another, each in a suite of its own so that its hooks are its own.

import { suite } from "node:test";

const files = JSON.parse(process.env["TEST_FILES"]!) as string[];
for (const file of files) {
  const url = new URL(`../${file}`, import.meta.url).href;
  suite(file, { timeout: 300_000 }, async () => {
    await import(url);
  });
}
