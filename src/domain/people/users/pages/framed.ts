// Declares how pages of members are sent in the frame of the web client. The frame is drawn by a layer above the
// slices, so that the server object provides it.

import type { FastifyReply } from "fastify";
import type { HtmlValue } from "../../../../platform/text/html.ts";

export type StaffMenu = {
  title: string;
  entries: { path: string; text: string; count: number; isHere: boolean }[];
}[];

/** The part of a page of the staff; `<!--post N-->` in its body is replaced by an entity of a post. */
export type StaffPart = {
  menu: StaffMenu;
  back: string;
  posts: readonly Record<string, unknown>[];
};

type FramedPage = {
  title: string;
  body: HtmlValue;
  status: number;
  /** Path of one of the server's scripts. */
  script?: string | undefined;
  /** Paths of more styles. */
  styles?: readonly string[];
  staff?: StaffPart;
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
