// Declares how pages of members are sent in the frame of the web client. The frame is drawn by a layer above the
// slices, so that the server object provides it.

import type { FastifyReply } from "fastify";
import type { ServersPage } from "../../../../../web/src/served/pages.ts";

export type FramedPage = Omit<ServersPage, "refused" | "search" | "formToken" | "isCard"> & {
  status: number;
  /** What is wrong with the fields of a refused form, which shows what was entered again. */
  faults?: Record<string, string> | undefined;
  /** Whether what the refused form shows was saved elsewhere since it was drawn. */
  isStale?: boolean | undefined;
  /** A form that was sent before, which shows what was entered again. */
  sent?: { action: string; fields: object } | undefined;
  /** Headers of a page that is a card of its own, without the menus, for people who are not signed in as well. */
  card?: Record<string, string>;
};

export type SendFramed = (reply: FastifyReply, page: FramedPage) => Promise<FastifyReply>;

declare module "fastify" {
  interface FastifyInstance {
    /** Sends a page in the frame of the signed-in person. */
    sendFramed: SendFramed;
  }
}
