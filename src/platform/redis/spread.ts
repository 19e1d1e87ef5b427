// Assigns names of feeds and channels to parts.

/** Returns a number that is the same in all processes, and evenly distributed. */
export const spread = (key: string): number => {
  let number = 0;
  for (let at = 0; at < key.length; at++) number = (number * 31 + key.charCodeAt(at)) % 65_521;
  return number;
};
