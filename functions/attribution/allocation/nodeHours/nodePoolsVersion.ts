import type { NodePools } from '../../../../schemas/attribution/nodePools.ts';
import { sha256Of } from '../../../platform/shared/hash.ts';

/** Names a set of pools by its content. */
export const nodePoolsVersion = (pools: NodePools): string =>
  `pools-${sha256Of('node pools', JSON.stringify(pools)).toString('hex').slice(0, 12)}`;
