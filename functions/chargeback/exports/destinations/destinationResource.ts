import { EXPORT_DESTINATIONS_MAXIMUM } from '../../../../schemas/chargeback/exportDestinations.ts';
import { tenantResource } from '../../../identity/audit/tenantResource.ts';
import type { DestinationStore } from './destination.store.ts';
import { requireDestination, StoredDestination } from './destination.ts';

export const destinationResource = (destinations: DestinationStore) =>
  tenantResource(
    {
      shape: StoredDestination,
      name: 'export destination',
      idPrefix: 'dst',
      maximum: EXPORT_DESTINATIONS_MAXIMUM,
      requireVisible: (_caller, found) => requireDestination(found),
      configuration: ({ check: _check, ...destination }) => destination,
    },
    destinations,
  );
