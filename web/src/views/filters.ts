// Applies a member's filters of words where a post is shown.

import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Filter, Status } from "../api/entities.ts";
import type { FilterContext } from "../store/feed.ts";

/** Null is any other place, in which none applies. */
type Where = FilterContext | null;

type Filtered = Pick<Status, "filtered">;

/** Returns the filters of a post that apply in a place. */
const filtersIn = ({ filtered }: Filtered, context: Where): Filter[] =>
  (filtered ?? [])
    .map(({ filter }) => filter)
    .filter((filter) => (filter.context as Where[]).includes(context));

/** Whether a post is left out of a list. */
export const isHidden = (status: Filtered, context: Where): boolean =>
  filtersIn(status, context).some(({ filter_action }) => filter_action === "hide");

const Place = createContext<Where>(null);

/** Names the place that filters apply to, for the posts inside. */
export const FilterPlace = Place.Provider;

export const useFilters = (status: Filtered): Filter[] => filtersIn(status, useContext(Place));
