// What the fields of a form know of its refusal (fields.tsx draws them).

import { signal } from "@preact/signals";
import { createContext } from "preact";
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { useApp } from "../app.ts";
import type { Refused } from "../app.ts";

/** The refused form, within it. */
export const RefusedHere = createContext<Refused | null>(null);

/** The form that was refused in place, whose fields still have what was entered. */
export const refusedInPlace = signal<Refused | null>(null);

/** Forgets that the form with this address was refused. */
export const forgetRefusal = (action: string): void => {
  if (refusedInPlace.peek()?.action === action) refusedInPlace.value = null;
};

/** Returns the refusal of a form by a page that has what was entered in its address. */
export const refusedBy = (action: string, faults: Refused["faults"] | undefined): Refused | null =>
  faults ? { action, fields: null, faults } : null;

/** Returns whether the form with this address came back with its page, where it has to be seen. */
export const useSentBack = (action: string): boolean => useApp().refused?.action === action;

/** Draws what is in a form of the client, whose fields then know whether it was refused. */
export const Refusable = ({
  action,
  children,
}: {
  action: string;
  children: ComponentChildren;
}) => {
  const refused = useApp().refused ?? refusedInPlace.value;
  // Whoever comes back to the page sees the form with what is saved.
  useEffect(() => () => forgetRefusal(action), [action]);
  return (
    <RefusedHere.Provider value={refused?.action === action ? refused : null}>
      {children}
    </RefusedHere.Provider>
  );
};
