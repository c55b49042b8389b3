/** Every 401 carries `WWW-Authenticate: Bearer` with the error of RFC 6750. */
import { type ErrorCode, Problem } from '#errors.ts';

export function unauthorised(
  code: Extract<ErrorCode, '010000' | '010001' | '010003'>,
  message: string,
): Problem {
  const error = code === '010000' ? 'invalid_token' : 'invalid_request';
  const description = message.replaceAll(/["\\]/g, "'");
  return new Problem(code, {
    message,
    headers: {
      'www-authenticate': `Bearer realm="pitlane", error="${error}", error_description="${description}"`,
    },
  });
}
