// Favourites, answers and boosts by what is said of them between servers, for federation.

export {
  selectInteraction as findInteraction,
  selectInteractionById as findInteractionById,
  selectOwnFavourite as findOwnFavourite,
} from "./queries-approvals.ts";
