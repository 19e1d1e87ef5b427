// What the statements of a migration do to tables that are there: whether they read, change or write them again, hold
// up writes meanwhile, and take something away that processes of an earlier version may use. Read from the SQL itself,
// so that nobody has to remember to describe it.

/**
 * `instant`: whatever the size of the table; `read`: reads all of it, for an index or a check; `rows`: changes up to
 * all of its rows; `rewrite`: writes all of it again.
 */
export type Work = "instant" | "read" | "rows" | "rewrite";

export type MigrationStep = {
  work: Work;
  /** null: nothing that is there. */
  table: string | null;
  /** Writes to the table, or all access, wait for it. */
  isBlocking: boolean;
  /** What an earlier version may need is renamed, removed or more strict. */
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

/** At the commas outside of all brackets. */
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

/** A default that is other for each row; `now()` is the same for all. */
const VOLATILE = /\bDEFAULT (?!now\(\))\(?\w+\(|\bGENERATED\b/i;
const CHECKED = /\b(?:REFERENCES|UNIQUE|CHECK|PRIMARY KEY)\b/i;

/** Clauses of ALTER TABLE, the first that fits. */
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

/** Kinds of statements, the first that fits. */
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

/** What a migration does; an Error for a statement of a kind that is not known here. */
export const stepsOf = (sql: string): MigrationStep[] =>
  statementsOf(sql).flatMap((statement) => {
    for (const [pattern, read] of STATEMENTS) {
      const match = pattern.exec(statement);
      if (match) return read(match);
    }
    throw new Error(`unknown statement of a migration: ${statement}`);
  });
