// The interface of a plan for the command line (`planCommand`) and the benchmark (random numbers and percentiles).

export { planCommand } from "./command.ts";
export { exponential, quantile, randomNumbers } from "./simulation.ts";
