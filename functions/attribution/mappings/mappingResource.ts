import { IdentityMapping, MAPPINGS_MAXIMUM } from '../../../schemas/attribution/identityMapping.ts';
import { tenantResource } from '../../identity/audit/tenantResource.ts';
import type { MappingWriter } from './mapping.store.ts';
import { requireMapping } from './mappingChanges.ts';

export const mappingResource = (mappings: MappingWriter) =>
  tenantResource(
    {
      shape: IdentityMapping,
      name: 'identity mapping',
      idPrefix: 'map',
      maximum: MAPPINGS_MAXIMUM,
      requireVisible: (_caller, found) => requireMapping(found),
    },
    mappings,
  );
