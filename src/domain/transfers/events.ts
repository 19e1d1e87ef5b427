// The jobs of the transfers slice.

declare module "../../platform/jobs/index.ts" {
  interface JobPayloads {
    /** The next slice of an import. */
    "import.due": { id: string };
  }
}

export {};
