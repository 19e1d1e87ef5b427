// Where a browser forbids storage, gives the window one that lasts as long as it is open.

const inMemory = (): Pick<Storage, "getItem" | "setItem" | "removeItem"> => {
  const kept = new Map<string, string>();
  return {
    getItem: (name) => kept.get(name) ?? null,
    setItem: (name, value) => void kept.set(name, value),
    removeItem: (name) => void kept.delete(name),
  };
};

const isForbidden = (name: "localStorage" | "sessionStorage"): boolean => {
  try {
    return window[name] === null;
  } catch {
    return true;
  }
};

for (const name of ["localStorage", "sessionStorage"] as const)
  if (isForbidden(name)) Object.defineProperty(window, name, { value: inMemory() });
