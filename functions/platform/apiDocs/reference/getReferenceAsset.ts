import { getReferenceAsset } from '../../../../schemas/routes/platform/reference.ts';
import { operation } from '../../http/operation.ts';
import { ProblemError } from '../../shared/problem.ts';
import { publish } from '../contract/publication.ts';
import { assets } from './assets.ts';

export default operation(getReferenceAsset, ({ parameters, header }) => {
  const asset = assets.get(parameters['asset'] ?? '');
  if (asset === undefined) throw new ProblemError('NOT_FOUND', 'The reference has no such file. Reload it.');
  return publish(asset, header);
});
