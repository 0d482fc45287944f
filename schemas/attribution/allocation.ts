import * as z from 'zod';
import { parseFixedPoint } from '../fixedPoint.ts';
import { label } from '../values.ts';

/** The most owners that a record is allocated to. Without it, one record could become hundreds of charges. */
export const OWNERS_NAMED_MAXIMUM = 50;

const WHOLE = parseFixedPoint('1');

/** `abort` stops the validation on failure, so that the sum check below only sees valid shares. */
const Share = z
  .string()
  .regex(/^(?:1(?:\.0{1,12})?|0\.0{0,11}[1-9]\d{0,11})$/, {
    error: 'must be a decimal string above 0 and at most 1, with at most 12 fractional digits',
    abort: true,
  })
  .max('0.000000000001'.length)
  .meta({ description: 'Part of the whole as a decimal string: above 0, at most 1', example: '0.25' });

const FixedShare = z.strictObject({ owner: label(256).meta({ example: 'team-platform' }), share: Share });

const FixedShares = z
  .array(FixedShare)
  .min(1)
  .max(OWNERS_NAMED_MAXIMUM)
  .superRefine((fixed, issues) => {
    if (new Set(fixed.map(({ owner }) => owner)).size < fixed.length) {
      issues.addIssue({ code: 'custom', message: 'must name each owner once' });
    }
    if (fixed.reduce((sum, { share }) => sum + parseFixedPoint(share), 0n) > WHOLE) {
      issues.addIssue({ code: 'custom', message: 'must have shares that sum to at most 1' });
    }
  })
  .meta({ description: 'The rest up to 1 stays unallocated' });

const proportional = z.strictObject({ method: z.literal('proportional') });
const even = z.strictObject({ method: z.literal('even') });
const fixed = z.strictObject({ method: z.literal('fixed'), fixed: FixedShares });

/** How a tenant allocates unresolved records: in proportion to attributed spend, evenly, or by fixed shares. */
export const AllocationSetting = z
  .discriminatedUnion('method', [proportional, even, fixed])
  .meta({ id: 'AllocationSetting' });
export type AllocationSetting = z.infer<typeof AllocationSetting>;

/** The allocation policy of a tenant: one of these settings, or no allocation. */
export const AllocationPolicy = z
  .discriminatedUnion('method', [proportional, even, fixed, z.strictObject({ method: z.literal('none') })])
  .meta({ id: 'AllocationPolicy' });
export type AllocationPolicy = z.infer<typeof AllocationPolicy>;

/**
 * A sum of decimal strings. Allows more digits than one of them, because producers report their own amounts and a sum must
 * not overflow.
 */
const Total = z.string().regex(/^(?:0|[1-9]\d{0,29})(?:\.\d{1,12})?$/);

/** Attributed spend. Each quantity is allocated by its own totals: energy by energy, carbon by carbon. */
const AllocationBases = z.object({ cost_usd: Total, energy_wh: Total, carbon_gco2e: Total });
export type Bases = z.infer<typeof AllocationBases>;

const Version = z.string().meta({ description: 'Digest of the shares' });

/** The shares of an allocation. Stored in the job, and referenced by version in the allocated records. */
export const AllocationShares = z.discriminatedUnion('method', [
  z.object({
    method: z.enum(['proportional', 'even']),
    version: Version,
    entries: z.array(AllocationBases.extend({ owner: z.string() })).max(OWNERS_NAMED_MAXIMUM),
    others: AllocationBases.extend({
      owners: z
        .int()
        .min(0)
        .meta({ description: 'Number of owners without an entry. Their part stays unallocated' }),
    }),
  }),
  z.object({ method: z.literal('fixed'), version: Version, entries: FixedShares }),
]);
export type AllocationShares = z.infer<typeof AllocationShares>;
