import * as z from 'zod';
import { StatedBy } from '../../../schemas/attribution/statedBy.ts';
import type { Caller } from '../../platform/tenancy/caller.ts';

/** Who states something, with what the tenant registered about the connector of a partner. */
export const Provenance = StatedBy.extend({
  registered: z
    .object({
      source_systems: z.array(z.string()),
      /** Whether it may fill empty parts of records of other source systems. */
      fills_other_sources: z.boolean(),
    })
    .optional(),
});
export type Provenance = z.infer<typeof Provenance>;

/** The provenance of what a caller sends. Nothing of it comes from the body of a request. */
export const provenanceOf = ({
  kind,
  principal,
  connector,
}: Pick<Caller, 'kind' | 'principal' | 'connector'>): Provenance => ({
  kind,
  id: principal,
  ...(connector !== undefined && {
    connector: connector.name,
    registered: {
      source_systems: [...connector.sourceSystems],
      fills_other_sources: connector.fillsOtherSources,
    },
  }),
});

/** The provenance of what the owner of an AWS principal sends to the ingestion queue. */
export const provenanceOfSender = (principal: string): Provenance => ({ kind: 'sender', id: principal });

/** The provenance of synthetic events. */
export const OWN_PROVENANCE: Provenance = { kind: 'service', id: 'sandbox' };

/** A credential of the tenant that the message of an earlier release does not name. */
export const UNNAMED_PROVENANCE: Provenance = { kind: 'service', id: 'unnamed' };

/** What is shown of a provenance. */
export const shownProvenance = ({ registered: _registered, ...shown }: Provenance): StatedBy => shown;
