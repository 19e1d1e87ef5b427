// What the command line (`planCommand`) and the benchmark (its numbers by chance, and its percentiles) need of a plan.

export { planCommand } from "./command.ts";
export { exponential, quantile, randomNumbers } from "./simulation.ts";
