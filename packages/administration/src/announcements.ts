// The commands `rookery announcements …`; a job of the server publishes announcements to open streams.

import {
  COMMAND_LINE,
  ConfigError,
  createAnnouncement,
  everyAnnouncement,
  instantOf,
  removeAnnouncement,
  withApp,
} from "./uses.ts";
import { printRows } from "./print.ts";

type AnnouncementOptions = {
  startsAt?: string;
  endsAt?: string;
  allDay?: boolean;
  scheduledAt?: string;
};

/** Parses a time: a date alone means midnight, and a time without a zone is in UTC. */
const timeOf = (text: string | undefined): Date | null => {
  if (text === undefined) return null;
  const time = instantOf(text);
  if (time === null) {
    throw new ConfigError(`"${text}" is not a valid time. Use a format like 2027-01-31T18:00Z.`);
  }
  return time;
};

export const createCommand = (text: string, options: AnnouncementOptions): Promise<void> => {
  const input = {
    text,
    startsAt: timeOf(options.startsAt),
    endsAt: timeOf(options.endsAt),
    allDay: options.allDay ?? false,
    publishAt: timeOf(options.scheduledAt),
  };
  return withApp(async (app) => console.log(await createAnnouncement(app, COMMAND_LINE, input)));
};

export const listCommand = ({ json }: { json?: boolean }): Promise<void> =>
  withApp(async (app) =>
    printRows(await everyAnnouncement(app), json, (row) => {
      const { id, text, published_at: at, scheduled_at: due } = row;
      const when = at?.toISOString() ?? `due ${due?.toISOString() ?? ""}`;
      return `${id}\t${when}\t${text.replaceAll("\n", " ")}`;
    }),
  );

export const removeCommand = (id: string): Promise<void> =>
  withApp(async (app) => {
    await removeAnnouncement(app, COMMAND_LINE, id);
    console.log("OK");
  });
