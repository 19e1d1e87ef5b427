// What providers told of their people before they come (SCIM): who is out, and which groups they are in.

import type { SignIn } from "#sso";
import type { Db } from "../../../platform/db/index.ts";
import { Forbidden } from "../../../platform/errors.ts";
import { says } from "../../../platform/text/texts.ts";
import { selectIsOut, selectTold } from "./queries.ts";

type Told = {
  /** With the groups that the provider told of, beside those of its claims. */
  signIn: SignIn;
  /** Whether it told of this person, who then gets an account in any case; `isOut`: that they are out. */
  isKnown: boolean;
  isOut: boolean;
};

export const told = async (db: Db, signIn: SignIn): Promise<Told> => {
  const { identity } = signIn;
  const row = await selectTold(db, identity.issuer, identity.subject);
  if (!row) return { signIn, isKnown: false, isOut: false };
  const groups = [...new Set([...identity.groups, ...row.groups])];
  return {
    signIn: { ...signIn, identity: { ...identity, groups } },
    isKnown: true,
    isOut: !row.active,
  };
};

export { selectIsOut as isOut };
/** Throws Forbidden for whom a provider has put out, however they signed in. */
export const requireIn = async (db: Db, userId: string): Promise<void> => {
  if (await selectIsOut(db, userId)) throw new Forbidden(says("sso.out"));
};
