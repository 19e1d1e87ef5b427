// The rules of docs/ARCHITECTURE.md, checked in the sources: who may import whom, where SQL, fastify and
// the environment may be used, and how long a file may be.

import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { test } from "node:test";
import {
  CLIENT_RANKS,
  RANKS,
  ROOT,
  clientSources,
  importsOf,
  importsUp,
  placeOf,
  sliceOf,
  sources,
} from "./sources.ts";
import type { Source } from "./sources.ts";
import { VISIBILITY_COLUMNS } from "../src/domain/posts/statuses/visibility.ts";

const faults = (judge: (source: Source) => string[]): string[] =>
  sources.flatMap((source) => judge(source).map((fault) => `${source.path}: ${fault}`));

test("the sources are found", () => {
  assert.ok(sources.length > 100);
  assert.ok(sources.some((source) => source.place === "domain/posts"));
  assert.ok(
    importsOf(sources.find((s) => s.path === "src/app.ts")!).includes("src/platform/app.ts"),
  );
});

test("every wing of the domain has a rank", () => {
  const folders = globSync("src/domain/*", { cwd: ROOT }).map((path) => path.replace(/^src\//, ""));
  assert.deepEqual(
    folders.filter((folder) => !RANKS.includes(folder)),
    [],
  );
});

test("imports go down: a place imports its own rank and lower ones", () => {
  const faulty = faults((source) =>
    importsUp(source).map((path) => `imports ${path}, which ranks above it`),
  );
  assert.deepEqual(faulty, []);
});

test("imports of the web client go down, too, and each of its folders has a rank", () => {
  const places = new Set(clientSources.map(({ place }) => place));
  assert.deepEqual([...places].toSorted(), CLIENT_RANKS.toSorted());
  const path = "web/src/views/a.ts";
  const text = 'import { run } from "../pages/b.ts";\nvoid import("../browser/c.ts");';
  assert.equal(importsUp({ path, text, place: "views" }).length, 2);
  const faulty = clientSources.flatMap((source) =>
    importsUp(source).map((up) => `${source.path}: imports ${up}, which ranks above it`),
  );
  assert.deepEqual(faulty, []);
});

const PACKAGES: Record<string, string> = JSON.parse(
  readFileSync(join(ROOT, "package.json"), "utf8"),
).imports;

/** Packages that a file imports, as the names that package.json gives them. */
const packagesOf = (text: string): string[] =>
  [...text.matchAll(/(?:from|import)\s*\(?\s*"(#[^"]+)"/g)].map(([, name]) => name!);

/** Those who import each other, directly or by others: each file with the next one of its circle. */
const circlesIn = (files: Source[]): string[] => {
  const arrows = new Map(
    files.map((file) => {
      const indexes = packagesOf(file.text).map((name) =>
        relative(ROOT, join(ROOT, PACKAGES[name]!)),
      );
      return [file.path, [...importsOf(file), ...indexes]];
    }),
  );
  const finished = new Set<string>();
  const walk = (path: string, above: string[]): string[] => {
    if (above.includes(path)) return [[...above.slice(above.indexOf(path)), path].join(" > ")];
    if (finished.has(path)) return [];
    const circles = (arrows.get(path) ?? []).flatMap((next) => walk(next, [...above, path]));
    finished.add(path);
    return circles;
  };
  return files.flatMap(({ path }) => walk(path, []));
};

test("no files import each other in a circle: types and what is loaded later included", () => {
  const file = (path: string, to: string): Source => ({
    path: `src/${path}.ts`,
    text: `import type { Thing } from "./${to}.ts";`,
    place: "top",
  });
  assert.deepEqual(circlesIn([file("a", "b"), file("b", "c"), file("c", "b")]), [
    "src/b.ts > src/c.ts > src/b.ts",
  ]);
  const index = { ...file("a", "../../../src/b"), path: "packages/plan/src/index.ts" };
  const command = { ...file("b", "a"), text: 'await import("#plan")' };
  assert.deepEqual(circlesIn([index, command]), [
    "packages/plan/src/index.ts > src/b.ts > packages/plan/src/index.ts",
  ]);
  assert.deepEqual(circlesIn([...sources, ...clientSources]), []);
});

/** The name of the package that a file belongs to. */
const packageOf = (path: string): string | undefined => /^packages\/([\w-]+)\//.exec(path)?.[1];

/** The names that the file imports from the face of its package. */
const usedOf = ({ text }: Source, face: string): string[] =>
  [...text.matchAll(/import (?:type )?\{([^}]+)\} from "([^"]+)"/g)]
    .filter(([, , from]) => from!.endsWith(`/${face}`))
    .flatMap(([, list]) => list!.split(",").map((name) => name.trim()))
    .filter((name) => name !== "");

/** The face of the server for a package. */
const USES = /^packages\/[\w-]+\/src\/uses\.ts$/;

test("a package imports itself, the index of another, and of the server what its uses.ts lists, which has nothing else", () => {
  const faulty = faults((source) => {
    const name = packageOf(source.path);
    return importsOf(source)
      .filter((path) => packageOf(path) !== name && name !== undefined)
      .filter((path) => !(USES.test(source.path) && /^(?:src|bin)\//.test(path)))
      .filter((path) => !/^packages\/[\w-]+\/src\/index\.ts$/.test(path))
      .map((path) => `imports ${path}, which is neither of the package nor listed in its uses.ts`);
  });
  assert.deepEqual(faulty, []);
  const faces = sources.filter(({ path }) => USES.test(path));
  assert.ok(faces.length >= 3);
  for (const { path, text } of faces) {
    const name = packageOf(path);
    const used = sources
      .filter((source) => packageOf(source.path) === name)
      .flatMap((source) => usedOf(source, "uses.ts"));
    const exported = [...text.matchAll(/^export (?:type )?\{([^}]+)\}|^export const (\w+)/gm)]
      .flatMap(([, list, constant]) => constant ?? list!.split(","))
      .map((each) => each.trim())
      .filter((each) => each !== "");
    assert.deepEqual([...new Set(used)].toSorted(), exported.toSorted(), path);
  }
});

/** The server runs on it. */
const BUILT_IN = "#embedded-postgres";
/** Packages that the server loads when something is first needed: only their types may be imported before. */
const ON_DEMAND = ["#sso", "#sso-accounts"];
const withoutTypes = (text: string): string => text.replaceAll(/^import type [^;]*;/gm, "");

test("src and bin import packages by package.json; those of commands when the command is called", () => {
  const faulty = faults(({ path, text }) => {
    if (packageOf(path) !== undefined) return [];
    const past = importsOf({ path, text, place: "" })
      .filter((to) => to.startsWith("packages/"))
      .map((to) => `imports ${to} past package.json`);
    const early = [...withoutTypes(text).matchAll(/\bfrom\s*"(#[^"]+)"|^import\s*"(#[^"]+)"/gm)]
      .map(([, from, bare]) => from ?? bare!)
      .filter((name) => name !== BUILT_IN)
      .map((name) => `imports ${name} before a command is called`);
    const other = packagesOf(text)
      .filter((name) => ![BUILT_IN, ...ON_DEMAND].includes(name) && !path.startsWith("src/cli/"))
      .map((name) => `imports ${name}, which is for a command`);
    return [...past, ...early, ...other];
  });
  assert.deepEqual(faulty, []);
  const called = sources
    .filter(({ path }) => path.startsWith("src/"))
    .flatMap(({ text }) => packagesOf(text));
  assert.deepEqual([...new Set(called)].toSorted(), Object.keys(PACKAGES).toSorted());
});

test("a slice's queries are its own", () => {
  const faulty = faults((source) =>
    importsOf(source)
      .filter((path) => /\/queries[\w-]*\.ts$/.test(path) && sliceOf(path) !== sliceOf(source.path))
      .filter((path) => placeOf(path).startsWith("domain/"))
      .map((path) => `imports ${path} of another slice`),
  );
  assert.deepEqual(faulty, []);
});

/** Files that may contain tagged SQL templates; fragments are conditions that other slices' queries use. */
const MAY_HOLD_SQL =
  /(?:\/(?:queries[\w-]*|fragments)\.ts|^src\/platform\/db\/|^src\/platform\/jobs\/|\/health\.ts)/;

test("SQL is only in queries*.ts and platform", () => {
  const faulty = faults((source) =>
    MAY_HOLD_SQL.test(source.path)
      ? []
      : [...source.text.matchAll(/^(?!\s*(?:\/\/|\*|\/\*)).*\b(?:sql|tx|db)`/gm)].map((match) => {
          const line = source.text.slice(0, match.index).split("\n").length;
          return `SQL at line ${line}`;
        }),
  );
  assert.deepEqual(faulty, []);
});

test("who may see a status is asked of the rules: visibilities are compared nowhere else", () => {
  const compared =
    /\bvisibility\b.{0,20}?(?:[=!]==?|\bIN\b|<>)\s*\(?["'](?:public|unlisted|private|circle|direct)["']/i;
  const reversed =
    /["'](?:public|unlisted|private|circle|direct)["']\s*[=!]==\s*[\w.?]*visibility\b/i;
  const faulty = faults(({ text }) =>
    text
      .split("\n")
      .filter((line) => compared.test(line) || reversed.test(line))
      .map((line) => `compares a visibility: ${line.trim()}`),
  );
  assert.deepEqual(faulty, []);
});

const withoutComments = (text: string): string =>
  text.replaceAll(/\/\*[^]*?\*\/|^\s*\/\/.*$/gm, "");

test("SQL knows what decides who may see a status by statuses/fragments.ts alone", () => {
  const columns = VISIBILITY_COLUMNS.map((name) => new RegExp(`(?<![\\w/])${name}\\b(?!\\.ts)`));
  const faulty = faults(({ path, text }) =>
    /\/queries[\w-]*\.ts$/.test(path)
      ? columns.flatMap((column) => withoutComments(text).match(column) ?? [])
      : [],
  );
  assert.deepEqual(faulty, []);
});

/** Where nobody looks for themselves: moderators review, and streams choose who gets what. */
const MAY_ASSUME = /domain\/(?:posts\/statuses\/(?:rules|load)|reading\/timelines\/streams)\.ts$/;
const FOR_MODERATORS =
  /domain\/(?:posts\/statuses\/load|staff\/moderation\/|reading\/trends\/admin-|reading\/groups\/moderat)/;

/** What is presented or sent was judged by rules.ts, whose types nobody else gives. */
test("that a status may be seen, or may leave, is said by the rules alone", () => {
  const cast = /\bas (?:unknown as )?\(?(?:SeenStatus|Federated\w+)\b/;
  const faulty = faults(({ path, text }) => [
    ...(cast.test(text) && path !== "src/domain/posts/statuses/rules.ts"
      ? ["judges by itself"]
      : []),
    ...(/\bassumeSeen\b/.test(text) && !MAY_ASSUME.test(path) ? ["takes a status as seen"] : []),
    ...(/\bloadForModerators\b/.test(text) && !FOR_MODERATORS.test(path)
      ? ["loads as a moderator"]
      : []),
  ]);
  assert.deepEqual(faulty, []);
});

/** Where the activities are made, of posts of FederatedStatus alone; what is forwarded, and follows of relays. */
const MAKES_ACTIVITIES =
  /domain\/\w+\/\w+\/activitypub(?:-acts)?\.ts$|approvals\/requests\.ts$|inbox\/forward\.ts$|federation\/relays\.ts$/;

test("activities for other servers are made where posts have been judged", () => {
  const faulty = faults(({ path, text }) =>
    /\bsendable\b[^}]*\} from "[^"]*accounts\/activitypub\.ts"|\bas (?:unknown as )?Sendable\b/.test(
      text,
    ) && !MAKES_ACTIVITIES.test(path)
      ? ["makes an activity for other servers"]
      : [],
  );
  assert.deepEqual(faulty, []);
});

test("what is shown is loaded for who looks: as the server only jobs and commands load", () => {
  const shows = /(?:routes|present|\/pages\/|\/federation\/routes\/)/;
  const faulty = faults(({ path, text }) =>
    shows.test(path) && /\b(?:load|get)AsServer\b/.test(text) ? ["loads as the server"] : [],
  );
  assert.deepEqual(faulty, []);
});

test("fastify is used only in routes, the HTTP layer, pages and roles", () => {
  const allowed = /(?:routes|^src\/platform\/http\/|^src\/roles\/|^src\/pages\/|health|streaming)/;
  const faulty = faults((source) =>
    allowed.test(source.path) || !/^import (?!type).*from "fastify"/m.test(source.text)
      ? []
      : ["imports fastify"],
  );
  assert.deepEqual(faulty, []);
});

test("commands and jobs throw errors by meaning: only routes and pages know what they are in HTTP", () => {
  // The errors of OAuth are a protocol of HTTP (RFC 6749).
  const allowed = /(?:routes|pages\/|^src\/platform\/http\/|^src\/roles\/|streaming|oauth\/errors)/;
  const faulty = faults((source) =>
    !allowed.test(source.path) && importsOf(source).includes("src/platform/http/http-error.ts")
      ? ["knows statuses of HTTP"]
      : [],
  );
  assert.deepEqual(faulty, []);
});

test("the environment is read only in platform/config", () => {
  const faulty = faults((source) =>
    source.path.startsWith("src/platform/config/") || !/process\.env\b/.test(source.text)
      ? []
      : ["reads process.env"],
  );
  assert.deepEqual(faulty, []);
});

test("outbound requests go through the guarded client", () => {
  // Commands follow the administrator. What listens has node-http.ts.
  const allowed =
    /^(?:src\/platform\/fetch|packages\/nodeinfo-validator\/src|src\/cli\/ask-by-name\.ts$)/;
  const faulty = faults((source) =>
    allowed.test(source.path) ||
    !/^import (?!type).*from "(?:undici|node:https?)"|(?<![.\w"])fetch\(/m.test(source.text)
      ? []
      : ["opens connections by itself"],
  );
  assert.deepEqual(faulty, []);
});

test("no file has more than 600 lines", () => {
  const faulty = faults(({ text }) => {
    const lines = text.split("\n").length;
    return lines > 600 ? [`has ${lines} lines`] : [];
  });
  assert.deepEqual(faulty, []);
});

test("comments have lines of at most 120 characters", () => {
  const faulty = faults(({ text }) =>
    text
      .split("\n")
      .filter((line) => line.length > 120 && /^\s*(?:\/\/|\/?\*)/.test(line))
      .map((line) => `has a line of ${line.length}: ${line.trim().slice(0, 60)}`),
  );
  assert.deepEqual(faulty, []);
});

/** These say nothing of what they hold, where the noun of it says everything. */
const NO_NOUNS = new Set(["asked", "found", "given", "held", "made", "one", "those", "wanted"]);

/** The names in a list of parameters or a pattern, without the keys of `{ key: name }`. */
const namesIn = (list: string): string[] => {
  const names = list.replaceAll(/\{[^{}]*\}/g, (pattern) => pattern.replaceAll(/\w+\??:\s*/g, ""));
  return (names.match(/(?:^|[,{[(]|\.\.\.)\s*\w+/g) ?? []).map((name) => /\w+$/.exec(name)![0]);
};

/** Of variables and parameters, as far as they are seen without parsing. */
const declaredNames = (text: string): string[] => [
  ...[...text.matchAll(/\b(?:const|let)\s+(\w+|[{[][^=;]*[}\]])/g)].flatMap(([, pattern]) =>
    namesIn(pattern!),
  ),
  ...[...text.matchAll(/\(([^()]*)\)\s*(?::[^=;{}()]*)?(?:=>|\{)/g)].flatMap(([, list]) =>
    namesIn(list!),
  ),
];

test("variables and parameters are named by the noun of what they hold", () => {
  const sample = "const [made, n] = f((one, { wanted: limit, asked }: { given: X }): Y => 1);";
  assert.deepEqual(
    declaredNames(sample).filter((name) => NO_NOUNS.has(name)),
    ["made", "one", "asked"],
  );
  const faulty = faults(({ text }) =>
    declaredNames(text)
      .filter((name) => NO_NOUNS.has(name))
      .map((name) => `calls something \`${name}\``),
  );
  assert.deepEqual(faulty, []);
});

/** Names that said nothing to a stranger, and what came in their place. */
const GONE_NAMES = new Set(
  (
    "createPassing insertKeeping withExtras withoutExtras toldTo toldOf toldToFollowers putBehind heardBy owed owe " +
    "takeSeat flyOnce isTooFine unwanted renew Useless Later converse removeBeside judgeSeveral actOnSeveral " +
    "tellThreads tellOfTerms tellOthers tellFollowers tellFollowed tellBlocked tellRelays"
  ).split(" "),
);
/** Files that were named by a figure of speech, or by nothing that is in them. */
const GONE_FILES =
  /(?:^|\/)(?:remains|questions|several|parts|beside|pieces|turns|traces|known|flights|renew)(?:\.test)?\.tsx?$/;
/** Of common table expressions: each is named by what its rows are. */
const GONE_TABLES =
  /\b(?:given|named|ready|written|above|linked|made|asked|told|found|wanted|tied)(?: ?\([\w, ]*\))? AS (?:NOT )?(?:MATERIALIZED )?\(/g;

/** Of variables, functions, classes, types and members. */
const definedNames = (text: string): string[] => [
  ...declaredNames(text),
  ...[...text.matchAll(/\b(?:class|function|type|interface) (\w+)/g)].map(([, name]) => name!),
  ...[...text.matchAll(/^ +(?:async |readonly )?#?(\w+)(?=\(.*\{$|\?: | = )/gm)].map(
    ([, name]) => name!,
  ),
];

test("names that were given up for plain ones do not come back, in TypeScript and in SQL", () => {
  const sample = [
    "export class Later extends Error {}",
    "  #owed = new Set();",
    "  async renew(keys: string[]): Promise<void> {",
    "const flyOnce = 1;",
    "  toldTo?: string[];",
  ].join("\n");
  assert.deepEqual(
    definedNames(sample)
      .filter((name) => GONE_NAMES.has(name))
      .toSorted(),
    ["Later", "flyOnce", "owed", "renew", "toldTo"],
  );
  assert.equal("WITH given AS MATERIALIZED (".match(GONE_TABLES)?.length, 1);
  const others: Source[] = globSync("{test,bench,src,packages}/**/*.{ts,tsx}", { cwd: ROOT })
    .filter((path) => !path.includes("node_modules") && path !== "test/architecture.test.ts")
    .map((path) => ({ path, text: readFileSync(join(ROOT, path), "utf8"), place: "" }));
  assert.ok(others.length > sources.length);
  const faulty = others.flatMap(({ path, text }) => [
    ...(GONE_FILES.test(path) ? [`${path} has a name that says nothing of it`] : []),
    ...definedNames(text)
      .filter((name) => GONE_NAMES.has(name))
      .map((name) => `${path} calls something \`${name}\``),
    ...(text.match(GONE_TABLES) ?? []).map((table) => `${path} has the table \`${table}\``),
  ]);
  assert.deepEqual(faulty, []);
});

/** A function that sends by a method and a path which it is given. */
const OWN_SENDER =
  /\(([^()]*\bmethod: string\b[^()]*\bpath: string\b[^()]*)\)[^;=]*=>[^;]*\.(?:request|send)\(\s*method\b/;
const SENT_BY_TOKEN =
  /\.request\(\s*"[A-Z]+",[^;]*?\{\s*token(?:: [\w.!?[\]]+)?,?\s*(?:(?:json|multipart)\b[^;]*?)?\}/;
/** Servers in processes of their own, tables of requests, and a record of what was sent have their own ways. */
const SENDS_OTHERWISE =
  /^(?:test\/(?:journeys|contract|press|hardening\/failing-well|properties\/acts)|bench)\b/;

test("tests send by the methods of a person or a visitor (test/person.ts), and have no own helper for it", () => {
  const sender = `const call = async (by: Person, method: string, path: string): Promise<any> => {
    const answer = await t.request(method, path, { token: by.token });`;
  assert.match(sender, OWN_SENDER);
  assert.match('await t.request("GET", "/api/v1/lists", { token: alice.token });', SENT_BY_TOKEN);
  const faulty = globSync("{test,src,packages,bench}/**/*.ts", { cwd: ROOT })
    .filter((path) => /\.test\.ts$|^test\/|^bench\//.test(path) && !path.includes("node_modules"))
    .filter((path) => path !== "test/architecture.test.ts" && !SENDS_OTHERWISE.test(path))
    .filter((path) => {
      const text = readFileSync(join(ROOT, path), "utf8");
      return OWN_SENDER.test(text) || SENT_BY_TOKEN.test(text);
    });
  assert.deepEqual(faulty, []);
});

test("what is exported is imported by another file", () => {
  const files = globSync("{test,bench,bin,web,src,packages}/**/*.{ts,tsx}", {
    cwd: ROOT,
    exclude: (path) => /(?:^|\/)(?:node_modules|dist)$/.test(path),
  }).map((path) => ({ path, text: readFileSync(join(ROOT, path), "utf8") }));
  const places = new Map<string, Set<string>>();
  for (const { path, text } of files)
    for (const [word] of text.matchAll(/\b[A-Za-z_]\w*\b/g))
      places.set(word, (places.get(word) ?? new Set()).add(path));
  // Packages export to whoever uses them, the server loads what is built of the client, and choices are generated.
  const isFace = (path: string): boolean =>
    path.endsWith("/src/index.ts") || /^web\/src\/(?:server\.tsx|api\/choices\.ts)$/.test(path);
  const faulty = files
    .filter(({ path }) => !isFace(path))
    .flatMap(({ path, text }) =>
      [...text.matchAll(/^export (?:async )?(?:const|let|function\*?|class) (\w+)/gm)]
        .map(([, name]) => name!)
        .filter((name) => places.get(name)?.size === 1)
        .map((name) => `${path} exports ${name} to nobody`),
    );
  assert.deepEqual(faulty, []);
});

test("every file opens with a comment on what it is for", () => {
  const faulty = faults(({ text }) =>
    /^(?:#!.*\n)?\/\/ \S/.test(text) ? [] : ["does not open with a comment"],
  );
  assert.deepEqual(faulty, []);
});

/** The types of what the server gives the views of its pages. */
const GIVEN = /^web\/src\/(?:served\/(?:(?:[\w-]+-)?pages|words)|api\/entities)\.ts$/;

test("the server and the web client import nothing of each other but types of pages; both import the catalogue of texts", () => {
  const outside = clientSources.flatMap((file) =>
    importsOf(file).filter((path) => !/^(?:web\/src|texts)\//.test(path)),
  );
  assert.deepEqual(outside, []);
  const inside = sources.flatMap((file) =>
    importsOf(file).filter((path) => path.startsWith("web/") && !GIVEN.test(path)),
  );
  assert.deepEqual(inside, []);
  const given = clientSources.filter(({ path }) => GIVEN.test(path));
  assert.ok(given.length > 0);
  for (const { path, text } of [...sources, ...given]) {
    const values = /^(?:import|export) (?!type\b)[^"]*"[^"]*\/web\/src\/[^"]*"/m;
    assert.doesNotMatch(text, values, `${path} imports more than types`);
    if (GIVEN.test(path)) assert.doesNotMatch(text, /^(?:import|export) (?!type\b)/m, path);
  }
  const catalogue = globSync("texts/**/*.ts", { cwd: ROOT }).flatMap((path) =>
    importsOf({ path, text: readFileSync(join(ROOT, path), "utf8"), place: "texts" }),
  );
  assert.ok(catalogue.length > 0);
  assert.ok(catalogue.every((path) => path.startsWith("texts/")));
});
