// The one connection of a process that outlives statements. It receives all notifications of the database, holds the
// lock of the process (single.ts), and reads cached settings (caches/listened.ts); nothing on it waits for a row lock.
// It is made at its first use, and again when it is lost.

import type { Sql } from "./types.ts";

/** `onListening` is called each time that listening begins, also the first; notifications before that were lost. */
export type Listen = (
  channel: string,
  onNotified: (payload: string) => void,
  onListening?: () => void,
) => Promise<{ unlisten(): Promise<void> }>;

export type Session = { sql: Sql; listen: Listen };

type Listener = { onNotified: (payload: string) => void; onListening?: (() => void) | undefined };

type Channel = { listeners: Set<Listener>; isListening: boolean; begun: Promise<void> };

/** Functions that the driver calls. */
export type SessionHooks = {
  onnotify: (channel: string, payload: string) => void;
  onclose: () => void;
};

const sessions = new WeakMap<Sql, Session>();

/** Returns the session of a pool that connect() opened. */
export const sessionOf = (sql: Sql): Session => sessions.get(sql)!;

/** `open` opens a pool of one connection. */
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

/** Makes the pool listen through a session, which ends with the pool. */
export const withSession = (sql: Sql, open: (hooks: SessionHooks) => Sql): Sql => {
  const session = openSession(open);
  const end = sql.end.bind(sql);
  sql.listen = session.listen as unknown as Sql["listen"];
  sql.end = async (how) => void (await Promise.all([end(how), session.sql.end(how)]));
  sessions.set(sql, session);
  return sql;
};
