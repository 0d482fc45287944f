import { errorText } from '../tools/operator/errorText.ts';
import { tenantCommand } from '../tools/operator/tenantCommand.ts';

try {
  console.info(await tenantCommand(process.argv.slice(2)));
} catch (error) {
  console.error(errorText(error));
  process.exitCode = 1;
}
