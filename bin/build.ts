// Makes the folder dist, which the npm package has instead of src/: Node does not strip types below node_modules. Types
// become spaces, so that lines and columns in errors stay those of the sources.

import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { dirname, join } from "node:path";

const ROOT = join(import.meta.dirname, "..");
const DIST = process.argv[2]!;

/** Matches paths in imports, in URLs of files, and in the imports of package.json. */
const SPECIFIER = /(["'])(\.{1,2}\/[^"'\n]+)\.ts\1/g;

const write = (path: string, text: string): void => {
  mkdirSync(dirname(join(DIST, path)), { recursive: true });
  writeFileSync(join(DIST, path), text);
};

const compile = (path: string): void => {
  const source = stripTypeScriptTypes(readFileSync(join(ROOT, path), "utf8"));
  write(path.replace(/\.ts$/, ".js"), source.replaceAll(SPECIFIER, "$1$2.js$1"));
};

const isLeftOut = (path: string): boolean =>
  /\.(?:test|contract)\.ts$|^bin\/(?:(?:build|after-install)\.ts$|install\/)|^packages\/release\//.test(
    path,
  );

rmSync(DIST, { recursive: true, force: true });
for (const path of globSync("{src,texts,bin,packages/*/src}/**/*.ts", { cwd: ROOT }))
  if (!isLeftOut(path)) compile(path);
for (const path of globSync("{src,texts}/**/*.json", { cwd: ROOT })) {
  write(path, readFileSync(join(ROOT, path), "utf8"));
}
for (const folder of ["migrations", "assets", ...globSync("packages/*/lists", { cwd: ROOT })]) {
  const filter = (path: string) => !path.endsWith(".ts");
  cpSync(join(ROOT, folder), join(DIST, folder), { recursive: true, filter });
}
cpSync(join(ROOT, "web/dist"), join(DIST, "web/dist"), { recursive: true });
write(
  "package.json",
  readFileSync(join(ROOT, "package.json"), "utf8").replaceAll(SPECIFIER, "$1$2.js$1"),
);
