// Declares how pages of members are sent in the frame of the web client. The frame is drawn by a layer above the
// slices, so that the server object provides it.

import type { FastifyReply } from "fastify";
import type { No, Part } from "../../../../../web/src/served/part-pages.ts";
import type { Notice, StaffPart } from "../../../../../web/src/served/pages.ts";

type FramedPage = {
  title: string;
  parts?: readonly (Part | No)[] | undefined;
  /** Says what was just done, or why a form was refused. */
  notice?: Notice | undefined;
  status: number;
  /** What is wrong with the fields of a refused form, which shows what was entered again. */
  faults?: Record<string, string> | undefined;
  /** Path of one of the server's scripts. */
  script?: string | undefined;
  copies?: boolean;
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
