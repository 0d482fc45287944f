import * as z from 'zod';

/**
 * Rate classes: routes of one class share a token bucket. `ingest` counts events, the others count requests. A large body
 * counts more.
 */
export const rateClasses = ['read', 'write', 'ingest', 'bulk'] as const;
export type RateClass = (typeof rateClasses)[number];

export const plans = ['free', 'standard', 'enterprise'] as const;
export type Plan = (typeof plans)[number];

/** A token bucket: `rate` is the refill in tokens per second, `burst` is the capacity. */
export const Limit = z.object({ rate: z.number().positive(), burst: z.int().positive() });
export type Limit = z.infer<typeof Limit>;

/**
 * Failed authentications, and starts of sign-ins, of one source network in one execution environment. A person who tries a
 * wrong key, or an office that signs in, stays below it.
 */
export const SOURCE_LIMIT: Limit = { rate: 1, burst: 20 };

/**
 * The ceiling of a whole tenant, as a multiple of the limit of one of its principals. Only for classes whose requests start
 * long work: a tenant could otherwise multiply them by creating keys. The other classes have no ceiling.
 */
export const tenantCeilings: Readonly<Record<Plan, Readonly<Partial<Record<RateClass, number>>>>> = {
  free: { bulk: 1 },
  standard: { bulk: 2 },
  enterprise: { bulk: 4 },
};

/** The default limits of each plan, for each principal. An operator may override them per tenant. */
export const planLimits: Readonly<Record<Plan, Readonly<Record<RateClass, Limit>>>> = {
  free: {
    read: { rate: 10, burst: 20 },
    write: { rate: 2, burst: 10 },
    ingest: { rate: 50, burst: 200 },
    bulk: { rate: 0.02, burst: 2 },
  },
  standard: {
    read: { rate: 50, burst: 100 },
    write: { rate: 10, burst: 40 },
    ingest: { rate: 500, burst: 2_000 },
    bulk: { rate: 0.1, burst: 5 },
  },
  enterprise: {
    read: { rate: 200, burst: 400 },
    write: { rate: 50, burst: 200 },
    ingest: { rate: 5_000, burst: 20_000 },
    bulk: { rate: 1, burst: 20 },
  },
};

/**
 * Bytes of the limit of a body for each value or name in it. A body of dense telemetry has about nine. Without this bound, a
 * body of empty values becomes objects of fifty times its size.
 */
export const BYTES_PER_ITEM = 8;

/**
 * Most records of one body of telemetry or logs, with the groups that hold them. The collector of OpenTelemetry sends 8,192
 * spans at once, and no plan takes more than 20,000 calls.
 */
export const RECORDS_MAXIMUM = 32_768;

/**
 * Bytes of a body, after decompression, that one token pays for. A call costs its time by its size, whatever is in it. Other
 * classes have no bodies of this size.
 */
export const BYTES_PER_TOKEN: Readonly<Partial<Record<RateClass, number>>> = {
  ingest: 16 * 1_024,
  write: 512 * 1_024,
};
