// The one connection of a process that outlives statements: what the database notifies of comes by it, for all who
// listen, it holds the lock of the process (single.ts), and what is cached of the settings is read by it
// (caches/listened.ts): nothing that waits for a row. It is made at its first use, and again when it is lost.

import type { Sql } from "./types.ts";

/** `onListening`: each time that it listens, from the first on; what was notified in between did not arrive. */
export type Listen = (
  channel: string,
  onNotified: (payload: string) => void,
  onListening?: () => void,
) => Promise<{ unlisten(): Promise<void> }>;

export type Session = { sql: Sql; listen: Listen };

type Listener = { onNotified: (payload: string) => void; onListening?: (() => void) | undefined };

type Channel = { listeners: Set<Listener>; isListening: boolean; begun: Promise<void> };

/** What the driver calls. */
export type SessionHooks = {
  onnotify: (channel: string, payload: string) => void;
  onclose: () => void;
};

const sessions = new WeakMap<Sql, Session>();

/** Of a pool that connect() gave. */
export const sessionOf = (sql: Sql): Session => sessions.get(sql)!;

/** `open` gives a pool of one connection. */
const openSession = (open: (hooks: SessionHooks) => Sql): Session => {
  const channels = new Map<string, Channel>();
  const begin = async (name: string, channel: Channel): Promise<void> => {
    await sql`LISTEN ${sql(name)}`;
    channel.isListening = true;
    for (const { onListening } of channel.listeners) onListening?.();
  };
  const onclose = (): void => {
    for (const [name, channel] of channels) {
      channel.isListening = false;
      channel.begun = begin(name, channel);
      channel.begun.catch(() => {}); // when this one is closed, too, it is tried again
    }
  };
  const onnotify = (name: string, payload: string): void => {
    for (const { onNotified } of channels.get(name)?.listeners ?? []) onNotified(payload);
  };
  const sql = open({ onnotify, onclose });
  const add = (name: string, listener: Listener): Channel => {
    const known = channels.get(name);
    if (known) {
      known.listeners.add(listener);
      if (known.isListening) listener.onListening?.();
      return known;
    }
    const listeners = new Set([listener]);
    const channel: Channel = { listeners, isListening: false, begun: Promise.resolve() };
    channels.set(name, channel);
    channel.begun = begin(name, channel);
    return channel;
  };
  const listen: Listen = async (name, onNotified, onListening) => {
    const listener = { onNotified, onListening };
    const channel = add(name, listener);
    await channel.begun;
    return {
      async unlisten() {
        channel.listeners.delete(listener);
        if (channel.listeners.size > 0 || channels.get(name) !== channel) return;
        channels.delete(name);
        await sql`UNLISTEN ${sql(name)}`;
      },
    };
  };
  return { sql, listen };
};

/** The pool listens by a session, which ends with it. */
export const withSession = (sql: Sql, open: (hooks: SessionHooks) => Sql): Sql => {
  const session = openSession(open);
  const end = sql.end.bind(sql);
  sql.listen = session.listen as unknown as Sql["listen"];
  sql.end = async (how) => void (await Promise.all([end(how), session.sql.end(how)]));
  sessions.set(sql, session);
  return sql;
};
