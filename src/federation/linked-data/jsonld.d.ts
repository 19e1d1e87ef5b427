// The part of jsonld that is used here; the package has no types.

declare module "jsonld" {
  type Options = {
    documentLoader: (url: string) => Promise<unknown>;
    base?: string;
    safe?: boolean;
    skipExpansion?: boolean;
    canonizeOptions?: { algorithm: "RDFC-1.0"; signal?: AbortSignal };
  };
  const jsonld: {
    expand(document: object, options: Options): Promise<unknown[]>;
    compact(document: object, context: object, options: Options): Promise<Record<string, unknown>>;
    canonize(document: object, options: Options): Promise<string>;
  };
  export default jsonld;
}
