// Into which of some parts a name belongs: of feeds, of channels.

/** Any number that is the same in all processes, and spreads. */
export const spread = (key: string): number => {
  let number = 0;
  for (let at = 0; at < key.length; at++) number = (number * 31 + key.charCodeAt(at)) % 65_521;
  return number;
};
