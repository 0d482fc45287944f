import * as z from 'zod';
import { label } from '../values.ts';

/** Owners a division names at most, so that one record never becomes hundreds of charges. */
export const OWNERS_NAMED_MAXIMUM = 50;

const FRACTION_DIGITS = 12;

/** A decimal of the contract in whole picos (1e-12), its smallest step. Throws a RangeError on anything else. */
export const parseFixedPoint = (text: string): bigint => {
  const [, whole, fraction = ''] = /^(\d+)(?:\.(\d{1,12}))?$/.exec(text) ?? [];
  if (whole === undefined)
    throw new RangeError('not a non-negative decimal with 12 fractional digits or fewer');
  return BigInt(whole + fraction.padEnd(FRACTION_DIGITS, '0'));
};

const WHOLE = parseFixedPoint('1');

/** Ends the checks where it fails, so that the sum below is only taken of shares. */
const Share = z
  .string()
  .regex(/^(?:1(?:\.0{1,12})?|0\.(?=0*[1-9])\d{1,12})$/, {
    error: 'must be a decimal string above 0 and at most 1, with at most 12 fractional digits',
    abort: true,
  })
  .meta({ description: 'Part of the whole as a decimal string, above 0 and at most 1', example: '0.25' });

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
  .meta({ description: 'What they leave of the whole stays unallocated' });

const proportional = z.strictObject({ method: z.literal('proportional') });
const even = z.strictObject({ method: z.literal('even') });
const fixed = z.strictObject({ method: z.literal('fixed'), fixed: FixedShares });

/** How a tenant divides what nothing attributes: by attributed spend, evenly, or by shares it fixed. */
export const AllocationSetting = z
  .discriminatedUnion('method', [proportional, even, fixed])
  .meta({ id: 'AllocationSetting' });
export type AllocationSetting = z.infer<typeof AllocationSetting>;

/** What a tenant wants done with it: one of those, or to leave it as it is. */
export const AllocationPolicy = z
  .discriminatedUnion('method', [proportional, even, fixed, z.strictObject({ method: z.literal('none') })])
  .meta({ id: 'AllocationPolicy' });
export type AllocationPolicy = z.infer<typeof AllocationPolicy>;

/** A sum of decimal strings. Wider than one of them: producers state their own figures, and nothing may overflow here. */
const Total = z.string().regex(/^(?:0|[1-9]\d{0,29})(?:\.\d{1,12})?$/);

/** Attributed spend. Each quantity is divided by its own: energy by energy, carbon by carbon. */
const AllocationBases = z.object({ cost_usd: Total, energy_wh: Total, carbon_gco2e: Total });
export type Bases = z.infer<typeof AllocationBases>;

const Version = z.string().meta({ description: 'Names the shares by their content' });

/** What a division rests on, ready to be stored and named on the records that were divided by it. */
export const AllocationShares = z.discriminatedUnion('method', [
  z.object({
    method: z.enum(['proportional', 'even']),
    version: Version,
    entries: z.array(AllocationBases.extend({ owner: z.string() })).max(OWNERS_NAMED_MAXIMUM),
    others: AllocationBases.extend({
      owners: z.int().min(0).meta({ description: 'Owners beyond those named: their part stays unallocated' }),
    }),
  }),
  z.object({ method: z.literal('fixed'), version: Version, entries: FixedShares }),
]);
export type AllocationShares = z.infer<typeof AllocationShares>;
