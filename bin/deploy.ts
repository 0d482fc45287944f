import { deploy } from '../tools/deploy/deploy.ts';
import { errorText } from '../tools/operator/errorText.ts';

try {
  process.exitCode = await deploy(process.argv.slice(2));
} catch (error) {
  console.error(errorText(error));
  process.exitCode = 1;
}
