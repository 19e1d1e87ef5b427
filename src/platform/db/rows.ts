// Reads what a statement returned, where it is less than its rows.

type Query<Row> = PromiseLike<readonly Row[]>;

/** Returns null where there is no row. */
export const firstRow = async <Row>(query: Query<Row>): Promise<Row | null> =>
  (await query)[0] ?? null;

/** The same for a row that there has to be. */
export const onlyRow = async <Row>(query: Query<Row>): Promise<Row> => (await query)[0]!;

/** Returns the value of the only column of the first row, which there has to be. */
export const onlyValue = async <Row extends object>(query: Query<Row>): Promise<Row[keyof Row]> =>
  Object.values((await query)[0]!)[0];

/** The same; null where there is no row. */
export const firstValue = async <Row extends object>(
  query: Query<Row>,
): Promise<Row[keyof Row] | null> => {
  const row = await firstRow(query);
  return row && (Object.values(row)[0] ?? null);
};

/** Returns the only column of the rows. */
export const valuesOf = async <Row extends object>(query: Query<Row>): Promise<Row[keyof Row][]> =>
  (await query).map((row) => Object.values(row)[0]);

/** Returns whether the statement found or changed any row. */
export const hasRows = async (query: PromiseLike<{ count: number }>): Promise<boolean> =>
  (await query).count > 0;
