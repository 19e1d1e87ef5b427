// Lists the operations of an OpenAPI document.

/** Returns each by its method and path: `GET /api/v1/…`. */
export const operationsOf = <Operation>({
  paths,
}: {
  paths: Record<string, Record<string, Operation>>;
}): [name: string, operation: Operation][] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): [string, Operation] => [
      `${method.toUpperCase()} ${path}`,
      operation,
    ]),
  );
