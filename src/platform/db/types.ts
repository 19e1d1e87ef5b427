// Types of the handles that queries take: the pool, or a transaction.

import type postgresTypes from "postgres";

export type Sql = postgresTypes.Sql;
/** A transaction or the pool. */
export type Db = postgresTypes.ISql;
export type Tx = postgresTypes.TransactionSql;
export type Fragment = postgresTypes.PendingQuery<postgresTypes.Row[]>;
