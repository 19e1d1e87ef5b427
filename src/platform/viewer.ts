// On whose behalf something is read: nobody who is known, one of our people, or an actor elsewhere
// whose server asks. What the server does of itself has no viewer: see loadAsServer in statuses.

export type Viewer =
  | { readonly kind: "nobody" }
  | { readonly kind: "person"; readonly id: string }
  | { readonly kind: "actor"; readonly id: string };

/** One who has an id, and a relation to authors. */
export type KnownViewer = Exclude<Viewer, { kind: "nobody" }>;

/** A request without a login, and whatever is shown to everybody alike. */
export const NOBODY: Viewer = { kind: "nobody" };

/** By the account's id. */
export const asPerson = (id: string): KnownViewer => ({ kind: "person", id });

/** By the id of the actor's account here. */
export const asActor = (id: string): KnownViewer => ({ kind: "actor", id });
