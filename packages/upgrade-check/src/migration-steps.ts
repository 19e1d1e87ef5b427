// Finds out what the statements of a migration do to existing tables: whether they read, change or rewrite them, block
// writes meanwhile, and remove something that processes of an earlier version may use. It reads the SQL itself, so that
// nobody has to remember to describe it.

/**
 * `instant`: independent of the table's size; `read`: reads the whole table, for an index or a check; `rows`: changes
 * up to all of its rows; `rewrite`: writes the whole table again.
 */
export type Work = "instant" | "read" | "rows" | "rewrite";

export type MigrationStep = {
  work: Work;
  /** Null when no existing table is concerned. */
  table: string | null;
  /** True when writes to the table, or all access, wait for it. */
  isBlocking: boolean;
  /** True when it renames, removes or restricts something that an earlier version may need. */
  takesAway: boolean;
};

const withoutTexts = (sql: string): string =>
  sql
    .replaceAll(/--.*$/gm, "")
    .replaceAll(/\$(\w*)\$[^]*?\$\1\$/g, "$$$$")
    .replaceAll(/'(?:[^']|'')*'/g, "''");

const statementsOf = (sql: string): string[] =>
  withoutTexts(sql)
    .split(";")
    .map((statement) => statement.replaceAll(/\s+/g, " ").trim())
    .filter((statement) => statement !== "");

/** Splits at the commas outside of all brackets. */
const clausesOf = (text: string): string[] => {
  const clauses = [""];
  let depth = 0;
  for (const sign of text) {
    if (sign === "(") depth += 1;
    if (sign === ")") depth -= 1;
    if (sign === "," && depth === 0) clauses.push("");
    else clauses[clauses.length - 1] += sign;
  }
  return clauses.map((clause) => clause.trim());
};

/** Matches a default that differs for each row; `now()` is the same for all. */
const VOLATILE = /\bDEFAULT (?!now\(\))\(?\w+\(|\bGENERATED\b/i;
const CHECKED = /\b(?:REFERENCES|UNIQUE|CHECK|PRIMARY KEY)\b/i;

/** Clauses of ALTER TABLE; the first match counts. */
const ALTERATIONS: [pattern: RegExp, work: Work, takesAway: boolean][] = [
  [/^ADD COLUMN .*\bGENERATED\b/i, "rewrite", false],
  [/^ADD (?:CONSTRAINT|FOREIGN|UNIQUE|CHECK|PRIMARY|EXCLUDE)\b.* NOT VALID$/i, "instant", true],
  [/^ADD (?:CONSTRAINT|FOREIGN|UNIQUE|CHECK|PRIMARY|EXCLUDE)\b/i, "read", true],
  [/^VALIDATE /i, "read", false],
  [/^ALTER (?:COLUMN )?\w+ (?:SET DATA )?TYPE\b/i, "rewrite", true],
  [/^ALTER (?:COLUMN )?\w+ SET NOT NULL/i, "read", true],
  [/^ALTER (?:COLUMN )?\w+ DROP DEFAULT/i, "instant", true],
  [/^ALTER (?:COLUMN )?\w+ (?:SET|DROP|ADD)\b/i, "instant", false],
  [/^DROP CONSTRAINT\b/i, "instant", false],
  [/^(?:DROP|RENAME)\b/i, "instant", true],
  [/^(?:SET|RESET|ATTACH|ENABLE|DISABLE|OWNER|CLUSTER|REPLICA)\b/i, "instant", false],
];

const ofColumn = (clause: string): Work | null => {
  if (!/^ADD (?:COLUMN )?(?!CONSTRAINT|FOREIGN|UNIQUE|CHECK|PRIMARY|EXCLUDE)/i.test(clause))
    return null;
  if (VOLATILE.test(clause)) return "rewrite";
  return CHECKED.test(clause) ? "read" : "instant";
};

const ofClause = (table: string, clause: string): MigrationStep => {
  const column = ofColumn(clause);
  if (column) return { work: column, table, isBlocking: column !== "instant", takesAway: false };
  const alteration = ALTERATIONS.find(([pattern]) => pattern.test(clause));
  if (!alteration) throw new Error(`unknown clause of a migration: ALTER TABLE ${table} ${clause}`);
  const [, work, takesAway] = alteration;
  return { work, table, isBlocking: work !== "instant", takesAway };
};

type Reader = (match: RegExpExecArray) => MigrationStep[];

const step = (
  work: Work,
  table: string | null,
  { isBlocking = false, takesAway = false } = {},
): MigrationStep[] => [{ work, table, isBlocking, takesAway }];

/** Kinds of statements; the first match counts. */
const STATEMENTS: [pattern: RegExp, read: Reader][] = [
  [
    /^ALTER TABLE (?:IF EXISTS )?(?:ONLY )?(\w+) (.*)$/i,
    ([, table, rest]) => clausesOf(rest!).map((clause) => ofClause(table!, clause)),
  ],
  [
    /^CREATE (?:UNIQUE )?INDEX (CONCURRENTLY )?.*?\bON (?:ONLY )?(\w+)/i,
    ([, concurrently, table]) => step("read", table!, { isBlocking: !concurrently }),
  ],
  [/^(?:CREATE|COMMENT|GRANT|DO|SELECT|SET|ANALYZE)\b/i, () => step("instant", null)],
  [/^DROP (?:TABLE|VIEW|SEQUENCE)\b/i, () => step("instant", null, { takesAway: true })],
  [/^DROP (?:INDEX|TRIGGER|FUNCTION)\b/i, () => step("instant", null)],
  [/^(?:ALTER (?:SEQUENCE|FUNCTION|TYPE|INDEX|TRIGGER)|TRUNCATE)\b/i, () => step("instant", null)],
  [/^UPDATE (?:ONLY )?(\w+)/i, ([, table]) => step("rows", table!, { isBlocking: true })],
  [/^DELETE FROM (\w+)/i, ([, table]) => step("rows", table!, { isBlocking: true })],
  [/^INSERT INTO \w+ .*?\bFROM \(?(\w+)/i, ([, source]) => step("read", source!)],
  [/^INSERT INTO\b/i, () => step("instant", null)],
  [/^WITH\b.*\b(?:UPDATE|INTO|DELETE FROM) (\w+)/i, ([, table]) => step("rows", table!)],
];

/** Returns what a migration does; throws for a statement of an unknown kind. */
export const stepsOf = (sql: string): MigrationStep[] =>
  statementsOf(sql).flatMap((statement) => {
    for (const [pattern, read] of STATEMENTS) {
      const match = pattern.exec(statement);
      if (match) return read(match);
    }
    throw new Error(`unknown statement of a migration: ${statement}`);
  });
