import * as z from 'zod';

/**
 * Who stated something about a call, as the verified credential said: an API key, client or user of the API, an AWS principal
 * that sends to the ingestion queue, or this service for a sandbox.
 */
export const StatedBy = z
  .object({
    kind: z.enum(['api_key', 'oauth_client', 'user', 'sender', 'service']),
    id: z.string().meta({ description: 'Id of the key, client, user or AWS principal' }),
    connector: z
      .string()
      .optional()
      .meta({ description: 'Name of the connector of a partner that the client is' }),
  })
  .meta({ id: 'StatedBy' });
export type StatedBy = z.infer<typeof StatedBy>;
