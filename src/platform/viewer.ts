// A viewer tells on whose behalf something is read: nobody (not signed in), a local person, or a remote actor whose
// server requests it. What the server does by itself has no viewer: see loadAsServer in statuses.

export type Viewer =
  | { readonly kind: "nobody" }
  | { readonly kind: "person"; readonly id: string }
  | { readonly kind: "actor"; readonly id: string };

/** A viewer with an account, who may have relations to authors. */
export type KnownViewer = Exclude<Viewer, { kind: "nobody" }>;

/** The viewer of a request without a login, and of everything that is shown to everybody alike. */
export const NOBODY: Viewer = { kind: "nobody" };

export const asPerson = (id: string): KnownViewer => ({ kind: "person", id });

/** Returns the viewer with the id of the actor's stored account. */
export const asActor = (id: string): KnownViewer => ({ kind: "actor", id });
