// The pages of members stand in the frame of the web client, which is drawn above the slices: the server has it.

import type { FastifyReply } from "fastify";
import type { HtmlValue } from "../../../../platform/text/html.ts";

export type StaffMenu = {
  title: string;
  entries: { path: string; text: string; count: number; isHere: boolean }[];
}[];

/** Of a page of the staff: entities of posts stand where its body has `<!--post N-->`. */
export type StaffPart = {
  menu: StaffMenu;
  back: string;
  posts: readonly Record<string, unknown>[];
};

type FramedPage = {
  title: string;
  body: HtmlValue;
  status: number;
  /** The path of one of the server's scripts. */
  script?: string | undefined;
  /** The paths of more styles. */
  styles?: readonly string[];
  staff?: StaffPart;
};

export type SendFramed = (reply: FastifyReply, page: FramedPage) => Promise<FastifyReply>;

declare module "fastify" {
  interface FastifyInstance {
    /** Sends a page in the frame of who is signed in. */
    sendFramed: SendFramed;
  }
}
