import * as z from 'zod';
import { nearestName } from '../../functions/platform/shared/nearestName.ts';
import { didYouMean } from '../../sdk/shared/didYouMean.ts';

/** Every request names this version by itself. There is no handshake. */
export const STATELESS_VERSION = '2026-07-28';
/** A client of these versions agrees on one in a handshake. Newest first. */
const HANDSHAKE_VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'] as const;
export const VERSIONS = [STATELESS_VERSION, ...HANDSHAKE_VERSIONS] as const;
/** The only version that has batches. */
export const BATCH_VERSION = '2025-03-26';

/** The server answers a handshake with the version of the client if it knows it, and else with its newest. */
export const agreedVersion = (version: string): string =>
  HANDSHAKE_VERSIONS.find((known) => known === version) ?? HANDSHAKE_VERSIONS[0];

const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion';
export const SERVER_KEY = 'io.modelcontextprotocol/serverInfo';

/** Many clients write null for a member that is absent. */
const members = z
  .looseObject({})
  .nullish()
  .transform((value) => value ?? {});
const Id = z.union([z.string(), z.number()]);

export const Message = z.object({
  jsonrpc: z.literal('2.0'),
  id: Id.optional(),
  method: z.string().optional(),
  params: members,
});
export const InitializeParams = z.object({ protocolVersion: z.string() });
export const CallParams = z.object({ name: z.string(), arguments: members });
export const ReadParams = z.object({ uri: z.string() });
export const CancelledParams = z.object({ requestId: Id });
const VersionedParams = z.object({ _meta: z.object({ [VERSION_KEY]: z.string() }) });

const CODES = {
  parse: -32_700,
  request: -32_600,
  method: -32_601,
  params: -32_602,
  internal: -32_603,
  version: -32_022,
} as const;

export class ProtocolError extends Error {
  readonly code: number;
  readonly data: object | undefined;

  constructor(kind: keyof typeof CODES, message: string, data?: object) {
    super(message);
    this.code = CODES[kind];
    this.data = data;
  }
}

/** The error member of a reply. A fault of this server says nothing about itself. */
export const errorMember = (error: unknown): object => {
  const known = error instanceof ProtocolError ? error : new ProtocolError('internal', 'Internal error');
  const { code, message, data } = known;
  return { code, message, ...(data !== undefined && { data }) };
};

/**
 * The parameters of a method. Unknown ones are ignored, as the protocol demands, unless one is near the name of a missing one: a
 * call without its arguments would be another call.
 */
export const parseParams = <Shape extends z.ZodRawShape>(
  schema: z.ZodObject<Shape>,
  params: Readonly<Record<string, unknown>>,
): z.output<z.ZodObject<Shape>> => {
  const known = Object.keys(schema.shape);
  const missing = known.filter((name) => !Object.hasOwn(params, name));
  for (const name of Object.keys(params).filter((sent) => !known.includes(sent))) {
    const meant = nearestName(name, missing);
    if (meant !== undefined)
      throw new ProtocolError('params', `No parameter has the name ${name}.${didYouMean(meant)}`);
  }
  const parsed = schema.safeParse(params);
  if (parsed.success) return parsed.data;
  throw new ProtocolError('params', z.prettifyError(parsed.error));
};

/** Whether the request names its version. Throws for one that is not known. */
export const isStateless = (params: unknown): boolean => {
  const { data } = VersionedParams.safeParse(params);
  if (data === undefined) return false;
  const requested = data._meta[VERSION_KEY];
  if (requested === STATELESS_VERSION) return true;
  throw new ProtocolError('version', `Unsupported protocol version: ${requested}`, {
    supported: VERSIONS,
    requested,
  });
};
