// SQL of the move to another domain: rewriting addresses in slices, storing progress, and changing the names.

import { hasRows, onlyValue } from "./uses.ts";
import type { Db, Fragment, SiteNames, Tx } from "./uses.ts";
import type { Columns } from "./columns.ts";

/** The old and the new origin. */
export type Change = { from: string; to: string };

/** Rows that one statement looks at. */
const SLICE = 5000;

const isBelow = (db: Db, value: Fragment, { from }: Change): Fragment =>
  db`(${value} = ${from} OR starts_with(${value}, ${`${from}/`}))`;

const below = (db: Db, value: Fragment, change: Change): Fragment =>
  db`CASE WHEN ${isBelow(db, value, change)}
    THEN ${change.to}::text || substr(${value}, ${change.from.length + 1}) ELSE ${value} END`;

/** Returns the addresses with the quotation mark before them, as in attributes and in JSON. */
const quoted = (change: Change): [string, string][] => [
  [`"${change.from}/`, `"${change.to}/`],
  [`"${change.from}"`, `"${change.to}"`],
];

const hasQuoted = (db: Db, text: Fragment, change: Change): Fragment => {
  const [[path], [bare]] = quoted(change) as [[string, string], [string, string]];
  return db`(strpos(${text}, ${path}) > 0 OR strpos(${text}, ${bare}) > 0)`;
};

const withQuoted = (db: Db, text: Fragment, change: Change): Fragment =>
  quoted(change).reduce(
    (value, [before, after]) => db`replace(${value}, ${before}, ${after})`,
    text,
  );

type Part = { column: string; isChanged: Fragment; value: Fragment };

const partsOf = (db: Db, columns: Columns, change: Change): Part[] => {
  const { uris = [], lists = [], html = [], json = [] } = columns;
  const item = db`item`;
  const part = (column: string, isChanged: Fragment, value: Fragment) => ({
    column,
    isChanged,
    value,
  });
  return [
    ...uris.map((name) =>
      part(name, isBelow(db, db`${db(name)}`, change), below(db, db`${db(name)}`, change)),
    ),
    ...lists.map((name) =>
      part(
        name,
        db`EXISTS (SELECT FROM unnest(${db(name)}) AS l (item) WHERE ${isBelow(db, item, change)})`,
        db`ARRAY(
          SELECT ${below(db, item, change)} FROM unnest(${db(name)}) WITH ORDINALITY AS l (item, n) ORDER BY n
        )`,
      ),
    ),
    ...html.map((name) =>
      part(name, hasQuoted(db, db`${db(name)}`, change), withQuoted(db, db`${db(name)}`, change)),
    ),
    ...json.map((name) => {
      const text = db`${db(name)}::text`;
      return part(name, hasQuoted(db, text, change), db`${withQuoted(db, text, change)}::jsonb`);
    }),
  ];
};

const joined = (db: Db, parts: Fragment[], between: Fragment): Fragment =>
  parts.slice(1).reduce((all, part) => db`${all} ${between} ${part}`, parts[0]!);

const isRowChanged = (db: Db, parts: Part[]): Fragment =>
  joined(
    db,
    parts.map(({ isChanged }) => isChanged),
    db`OR`,
  );

const tableOf = (db: Db, { table }: Columns): Fragment =>
  joined(
    db,
    table.split(".").map((name) => db`${db(name)}`),
    db`.`,
  );

export const countRewritten = async (db: Db, columns: Columns, change: Change): Promise<number> => {
  const [row] = await db<{ count: number }[]>`
    SELECT count(*)::int AS count FROM ${tableOf(db, columns)}
    WHERE ${isRowChanged(db, partsOf(db, columns, change))}
  `;
  return row!.count;
};

/** `last` is where the next slice begins; null if there is none. */
export type Slice = { done: number; last: string | null };

/** Rewrites as many rows after an id as one statement takes. */
export const rewriteSlice = async (
  db: Db,
  columns: Columns,
  change: Change,
  after: string,
): Promise<Slice> => {
  const table = tableOf(db, columns);
  const parts = partsOf(db, columns, change);
  const set = joined(
    db,
    parts.map(({ column, value }) => db`${db(column)} = ${value}`),
    db`,`,
  );
  if (columns.isSmall) {
    const { count } = await db`UPDATE ${table} SET ${set} WHERE ${isRowChanged(db, parts)}`;
    return { done: count, last: null };
  }
  const [row] = await db<{ done: number; looked: number; last: string | null }[]>`
    WITH slice AS MATERIALIZED (
      SELECT id FROM ${table} WHERE id > ${after}::bigint ORDER BY id LIMIT ${SLICE}
    ), rewritten AS (
      UPDATE ${table} SET ${set}
      WHERE id > ${after}::bigint AND id <= (SELECT max(id) FROM slice) AND (${isRowChanged(db, parts)})
      RETURNING id
    )
    SELECT (SELECT count(*) FROM rewritten)::int AS done, count(*)::int AS looked, max(id) AS last FROM slice
  `;
  return { done: row!.done, last: row!.looked === SLICE ? row!.last : null };
};

export type MoveRow = SiteNames & {
  id: string;
  step: string;
  after: string;
  counts: Record<string, number>;
  started_at: Date;
};

/** Selects the move that was begun and is not finished. */
export const selectMove = async (db: Db): Promise<MoveRow | null> => {
  const [row] = await db<MoveRow[]>`
    SELECT id, local_domain AS "localDomain", web_domain AS "webDomain", https, step, after, counts, started_at
    FROM domain_moves WHERE finished_at IS NULL
  `;
  return row ?? null;
};

export const insertMove = (db: Db, { localDomain, webDomain, https }: SiteNames, now: Date) => db`
  INSERT INTO domain_moves (local_domain, web_domain, https, started_at)
  VALUES (${localDomain}, ${webDomain}, ${https}, ${now})
`;

/** Stores the progress in the transaction of the slice. */
export const updateMove = (
  tx: Tx,
  id: string,
  { step, after, done }: { step: string; after: string; done: number },
) => tx`
  UPDATE domain_moves SET step = ${step}, after = ${after},
    counts = jsonb_set(
      counts, ARRAY[${step}::text], to_jsonb(coalesce((counts->>${step})::bigint, 0) + ${done}::bigint)
    )
  WHERE id = ${id}
`;

export const finishMove = (tx: Tx, id: string, now: Date) => tx`
  UPDATE domain_moves SET finished_at = ${now} WHERE id = ${id}
`;

/** Makes the present names former ones, and the new ones present. */
export const changeNames = async (tx: Tx, names: SiteNames, until: Date): Promise<void> => {
  await tx`
    INSERT INTO former_names (web_domain, local_domain, https, until)
    SELECT web_domain, local_domain, https, ${until} FROM site
    ON CONFLICT (web_domain) DO UPDATE SET
      local_domain = excluded.local_domain, https = excluded.https, until = excluded.until
  `;
  await tx`DELETE FROM former_names WHERE web_domain = ${names.webDomain}`;
  await tx`
    UPDATE site SET local_domain = ${names.localDomain}, web_domain = ${names.webDomain}, https = ${names.https}
  `;
};

/** Returns false where the server never had the domain, or has it now. */
export const deleteFormerNames = (db: Db, webDomain: string): Promise<boolean> =>
  hasRows(db`DELETE FROM former_names WHERE web_domain = ${webDomain}`);

/** Counts accounts that are stored as another server's, with these domains. */
export const countAccountsOf = (db: Db, domains: string[]): Promise<number> =>
  onlyValue(db<{ count: number }[]>`
    SELECT count(*)::int AS count FROM accounts WHERE domain = ANY(${domains}::citext[])
  `);
