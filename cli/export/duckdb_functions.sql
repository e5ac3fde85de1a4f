CREATE OR REPLACE MACRO pattern(words) AS regexp_replace(words, '[0-9]+', '#', 'g');
CREATE OR REPLACE MACRO location(number) AS (
    SELECT coalesce(f."function" || coalesce(' ' || f.file || ':' || f.line,
                                             ' in ' || regexp_replace(m.path, '.*/', ''), ''),
                    regexp_replace(m.path, '.*/', '') || printf('+0x%x', f."offset"), printf('0x%x', f."offset"))
    FROM site s JOIN frame f ON f.frame = s.frame LEFT JOIN module m ON m.module = f.module
    WHERE s.site = number);
CREATE OR REPLACE MACRO three_digits(value) AS
    printf(CASE WHEN value >= 99.95 THEN '%.0f' WHEN value >= 9.995 THEN '%.1f' ELSE '%.2f' END, value::DOUBLE);
CREATE OR REPLACE MACRO duration_of(ns) AS
    CASE WHEN ns < 999.5 THEN printf('%.0f ns', ns::DOUBLE) WHEN ns < 999.5e3 THEN three_digits(ns / 1e3) || ' us'
         WHEN ns < 999.5e6 THEN three_digits(ns / 1e6) || ' ms' WHEN ns < 59.95e9 THEN three_digits(ns / 1e9) || ' s'
         WHEN round(ns / 1e9) < 3600 THEN printf('%d min %02d s', round(ns / 1e9)::BIGINT // 60, round(ns / 1e9)::BIGINT % 60)
         ELSE printf('%d h %02d min', round(ns / 60e9)::BIGINT // 60, round(ns / 60e9)::BIGINT % 60) END;
CREATE OR REPLACE MACRO duration(ns) AS CASE WHEN ns < 0 THEN '-' ELSE '' END || duration_of(abs(ns));
CREATE OR REPLACE MACRO bytes_of(number, unit) AS
    CASE unit WHEN 0 THEN printf('%.0f B', number::DOUBLE)
              ELSE three_digits(number / 1024.0 ** unit) || ' ' || ['KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB'][unit] END;
CREATE OR REPLACE MACRO bytes(number) AS
    CASE WHEN number < 0 THEN '-' ELSE '' END
    || bytes_of(abs(number), len(list_filter(range(6), lambda u: abs(number) >= 1023.5 * 1024.0 ** u)));
CREATE OR REPLACE MACRO ranges_of(sorted) AS array_to_string(list_transform(
    list_zip(list_filter(sorted, lambda n, i: i = 1 OR sorted[i - 1] <> n - 1),
             list_filter(sorted, lambda n, i: i = len(sorted) OR sorted[i + 1] <> n + 1)),
    lambda r: CASE WHEN r[1] = r[2] THEN r[1]::VARCHAR
                   ELSE r[1] || CASE WHEN r[1] + 1 = r[2] THEN ',' ELSE '-' END || r[2] END), ',');
CREATE OR REPLACE MACRO ranges(number) AS
    nullif(ranges_of(list_sort(list(DISTINCT number) FILTER (WHERE number IS NOT NULL))), '');
