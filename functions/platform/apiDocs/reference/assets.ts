import { createHash } from 'node:crypto';
import swaggerStyle from 'swagger-ui-dist/swagger-ui.css?gzip';
import swaggerScript from 'swagger-ui-dist/swagger-ui-bundle.js?gzip';
import { compressedFile, type Publication } from '../contract/publication.ts';
import style from './browser/explorer.css?gzip';
import script from './browser/explorer.js?gzip';

/** With the character set: browsers read Swagger UI as Latin-1 otherwise, and its script is a syntax error then. */
const SCRIPT = 'text/javascript; charset=utf-8';
const STYLE = 'text/css; charset=utf-8';

const published = new Map<string, Publication>();

/** Publishes a file and returns its name, which has a hash of the content. */
const publishAs = (stem: string, extension: 'js' | 'css', compressed: Uint8Array): string => {
  const hash = createHash('sha256').update(compressed).digest('hex').slice(0, 16);
  const name = `${stem}-${hash}.${extension}`;
  published.set(name, compressedFile(extension === 'js' ? SCRIPT : STYLE, compressed));
  return name;
};

/** Names of the styles and scripts of the page, in the order in which it loads them. */
export const styles = [publishAs('swagger-ui', 'css', swaggerStyle), publishAs('explorer', 'css', style)];
export const scripts = [publishAs('swagger-ui', 'js', swaggerScript), publishAs('explorer', 'js', script)];

/** The styles and scripts of the page by name. */
export const assets: ReadonlyMap<string, Publication> = published;
