// Counts the turns of the event loop that something takes.

export const countTurns = async <T>(
  work: () => Promise<T>,
): Promise<{ turns: number; result: T }> => {
  let turns = 0;
  let isOver = false;
  const count = (): void => {
    if (isOver) return;
    turns += 1;
    setImmediate(count);
  };
  setImmediate(count);
  const result = await work();
  isOver = true;
  return { turns, result };
};
