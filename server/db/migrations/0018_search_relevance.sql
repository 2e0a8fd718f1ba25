-- Search has words of its own: texts are brought into one form, stemmed and weighted by triggers, so that every import,
-- order and operator is followed. server/catalogue/search/plain.ts brings searches into the same form.
CREATE TABLE "search_misses" (
	"words" text PRIMARY KEY NOT NULL,
	"count" integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "search_synonyms" (
	"position" integer PRIMARY KEY NOT NULL,
	"line" text NOT NULL
);
--> statement-breakpoint
-- Lower case, without apostrophes and without accents on Latin letters; each Chinese and Japanese character is a word.
CREATE FUNCTION search_fold(given text) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  folded text := replace(replace(lower(given), '''', ''), '’', '');
BEGIN
  IF octet_length(folded) = length(folded) THEN RETURN folded; END IF;
  folded := regexp_replace(normalize(folded, NFKD), '([a-zA-Z])[\u0300-\u036f]+', '\1', 'g');
  folded := normalize(lower(folded), NFKC);
  -- `lower` leaves other alphabets alone in a database with the locale C.
  folded := translate(folded, 'АБВГДЕЁЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯёøłđı', 'абвгдеежзийклмнопрстуфхцчшщъыьэюяеoldi');
  folded := replace(replace(replace(folded, 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe');
  RETURN regexp_replace(folded, '([\u3041-\u30ff\u3400-\u9fff])', ' \1 ', 'g');
END $$;
--> statement-breakpoint
-- Folded words with single spaces, '1.1' as '1p1'. What a shopper may write differently follows: '26 cm' as 26cm, 't-shirt' as tshirt.
CREATE FUNCTION search_plain(given text) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  folded text := search_fold(given);
  hasDigits boolean := folded ~ '\d';
  joined text;
  plain text;
BEGIN
  IF hasDigits THEN
    folded := regexp_replace(folded, '(\d),(\d{3})(?!\d)', '\1\2', 'g');
    folded := regexp_replace(folded, '(\d)\s?["″”]', '\1in ', 'g');
    folded := regexp_replace(folded, '(\d|\din)\s?[x×]\s?(?=\d)', '\1 ', 'g');
    folded := regexp_replace(folded, '(\d)\.(\d)', '\1p\2', 'g');
  END IF;
  plain := regexp_replace(folded, '[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bf×÷\u2000-\u2bff\u3000-\u303f\ufe00-\uff65]+', ' ', 'g');
  IF strpos(folded, '-') > 0 THEN
    SELECT string_agg(replace(hit[1], '-', ''), ' ') INTO joined
    FROM regexp_matches(folded, '\m([a-z]+(?:-[a-z]+)+)\M', 'g') AS hit;
    plain := concat_ws(' ', plain, joined);
  END IF;
  IF hasDigits THEN
    SELECT string_agg(hit[1] || coalesce(unit.short, hit[2]) || ' ' || hit[1], ' ') INTO joined
    FROM regexp_matches(plain, '\m(\d+(?:p\d+)?) ?(mm|cm|m|km|in|ft|mg|g|kg|oz|lb|ml|cl|l|mb|gb|tb|mah|wh|w|kw|v|hz|ct|lm|db|millimet(?:re|er)|centimet(?:re|er)|met(?:re|er)|kilomet(?:re|er)|inche?|foot|feet|gram|gramme|kilo|kilogram|ounce|pound|millilit(?:re|er)|lit(?:re|er)|watt|volt|carat|lumen|gigabyte|terabyte)s?\M', 'g') AS hit
    LEFT JOIN (VALUES ('millimetre', 'mm'), ('millimeter', 'mm'), ('centimetre', 'cm'), ('centimeter', 'cm'), ('metre', 'm'), ('meter', 'm'),
      ('kilometre', 'km'), ('kilometer', 'km'), ('inch', 'in'), ('inche', 'in'), ('foot', 'ft'), ('feet', 'ft'),
      ('gram', 'g'), ('gramme', 'g'), ('kilo', 'kg'), ('kilogram', 'kg'), ('ounce', 'oz'), ('pound', 'lb'),
      ('millilitre', 'ml'), ('milliliter', 'ml'), ('litre', 'l'), ('liter', 'l'), ('watt', 'w'), ('volt', 'v'),
      ('carat', 'ct'), ('lumen', 'lm'), ('gigabyte', 'gb'), ('terabyte', 'tb')) AS unit (long, short) ON unit.long = hit[2];
    plain := concat_ws(' ', plain, joined);
  END IF;
  RETURN plain;
END $$;
--> statement-breakpoint
-- The stem of one word in this form. Letters that are not Latin are taken for Russian ones, which leaves other alphabets alone.
CREATE FUNCTION search_stem(word text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT coalesce((CASE WHEN octet_length(word) = length(word) THEN ts_lexize('english_stem', word) ELSE ts_lexize('russian_stem', word) END)[1], word)
$$;
--> statement-breakpoint
ALTER TABLE "products" ALTER COLUMN "search" DROP EXPRESSION;--> statement-breakpoint
ALTER TABLE "products" ADD COLUMN "option_words" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "products" ADD COLUMN "codes" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "products" ADD COLUMN "named" "tsvector";--> statement-breakpoint
DELETE FROM search_words;--> statement-breakpoint
ALTER TABLE "search_words" ADD COLUMN "stem" text GENERATED ALWAYS AS (search_stem(word)) STORED NOT NULL;--> statement-breakpoint
-- What a product is stands before the first 'for', 'with' or comma of its name: a case with a lamp is not a lamp.
-- The configuration 'russian' stems Latin words as 'english' does.
CREATE FUNCTION search_named(product products) RETURNS tsvector LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  head text := coalesce(substring(product.name from '(?i)^(.+?)(?:\s+(?:for|with|in|to)\s|[,:]\s|\s[-–—(])'), product.name);
  tags text := (SELECT string_agg(tag, ' ') FROM jsonb_array_elements_text(product.tags) AS tag);
BEGIN
  RETURN setweight(to_tsvector('russian', search_plain(head)), 'A')
    || setweight(to_tsvector('russian', search_plain(concat_ws(' ', substr(product.name, length(head) + 1), product.brand, product.category, tags, product.option_words))), 'B')
    || setweight(to_tsvector('russian', search_plain(product.shop_name) || ' ' || product.codes), 'C');
END $$;
--> statement-breakpoint
CREATE FUNCTION search_product() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.named := search_named(NEW);
  NEW.search := NEW.named || CASE
    WHEN TG_OP = 'UPDATE' AND OLD.search IS NOT NULL AND OLD.description = NEW.description THEN ts_filter(OLD.search, '{d}')
    ELSE setweight(to_tsvector('russian', search_fold(regexp_replace(NEW.description, '<[^>]*>', ' ', 'g'))), 'D')
  END;
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE FUNCTION search_words_of_product(product products) RETURNS SETOF text LANGUAGE sql IMMUTABLE AS $$
  SELECT search_words_of(concat_ws(' ', product.name, product.brand, product.category, product.shop_name, product.tags::text))
$$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION search_words_of(names text) RETURNS SETOF text LANGUAGE sql IMMUTABLE AS $$
  SELECT word FROM regexp_split_to_table(search_plain(names), ' ') AS word WHERE length(word) BETWEEN 2 AND 40 AND word !~ '^\d'
$$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION words_of_new_products() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- In one order, so that two writers wait for each other instead of ending in a deadlock.
  INSERT INTO search_words (word)
    SELECT DISTINCT word FROM added, search_words_of_product(added) AS word ORDER BY word
    ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION words_of_renamed_product() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO search_words (word)
    SELECT DISTINCT word FROM search_words_of_product(NEW) AS word ORDER BY word
    ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE FUNCTION words_of_new_options() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO search_words (word)
    SELECT DISTINCT word FROM added, search_words_of(added.variants::text) AS word ORDER BY word
    ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
--> statement-breakpoint
DROP TRIGGER words_of_renamed_product ON products;
--> statement-breakpoint
CREATE TRIGGER words_of_renamed_product AFTER UPDATE ON products FOR EACH ROW
WHEN ((OLD.name, OLD.brand, OLD.category, OLD.shop_name, OLD.tags) IS DISTINCT FROM (NEW.name, NEW.brand, NEW.category, NEW.shop_name, NEW.tags))
EXECUTE FUNCTION words_of_renamed_product();
--> statement-breakpoint
CREATE TRIGGER words_of_new_options AFTER INSERT ON option_sets REFERENCING NEW TABLE AS added
FOR EACH STATEMENT EXECUTE FUNCTION words_of_new_options();
--> statement-breakpoint
-- Beside what it derived before: option names and values that can be bought, and codes as one word each.
DROP FUNCTION derived_products(text[]);
--> statement-breakpoint
CREATE FUNCTION derived_products(ids text[])
RETURNS TABLE (product_id text, price_cents integer, discount numeric, compare_at_cents integer, highest_cents integer, is_available boolean, variant_count integer, colour_count integer, buyable_options jsonb, option_words text, codes text)
LANGUAGE sql STABLE AS $$
  SELECT product.id,
    coalesce((array_agg(variant.price_cents ORDER BY can_be_bought DESC, variant.final_cents, position))[1], 0),
    coalesce((array_agg(variant.discount ORDER BY can_be_bought DESC, variant.final_cents, position))[1], 0),
    (array_agg(variant.compare_at_cents ORDER BY can_be_bought DESC, variant.final_cents, position))[1],
    coalesce(max(variant.final_cents) FILTER (WHERE can_be_bought), max(variant.final_cents), 0),
    coalesce(bool_or(can_be_bought), false),
    count(variant.id)::integer,
    count(DISTINCT colour_of(options))::integer,
    jsonb_agg(DISTINCT options ORDER BY options) FILTER (WHERE can_be_bought AND options <> '[]'),
    coalesce((
      SELECT left(string_agg(word, ' ' ORDER BY word), 8000) FROM (
        SELECT DISTINCT part AS word FROM variants own, jsonb_array_elements(own.options) AS option, jsonb_array_elements_text(option) AS part
        WHERE own.product_id = product.id AND (own.can_be_bought OR NOT EXISTS (SELECT FROM variants other WHERE other.product_id = product.id AND other.can_be_bought))
      ) words
    ), ''),
    coalesce(left(string_agg(regexp_replace(lower(concat_ws(' ', nullif(variant.sku, ''), nullif(barcode, ''))), '[^a-z0-9 ]', '', 'g'), ' ' ORDER BY position) FILTER (WHERE variant.sku <> '' OR barcode <> ''), 32000), '')
  FROM products product LEFT JOIN variants variant ON variant.product_id = product.id
  WHERE product.id = ANY (ids) GROUP BY product.id
$$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION derive_products(ids text[]) RETURNS void LANGUAGE plpgsql SET enable_seqscan = off AS $$
BEGIN
  -- Locked in one order: transactions that change several products then wait for each other without a deadlock.
  PERFORM 1 FROM products WHERE id = ANY (ids) ORDER BY id FOR NO KEY UPDATE;
  -- Until the end of the transaction, no set that is found here is removed. Sets have no unique key: an order would wait
  -- for an import that adds the same one.
  LOCK TABLE option_sets IN ROW SHARE MODE;
  WITH derived AS MATERIALIZED (
    SELECT * FROM derived_products(ids)
  ), needed AS MATERIALIZED (
    SELECT DISTINCT buyable_options AS variants FROM derived WHERE buyable_options IS NOT NULL
  ), known AS MATERIALIZED (
    SELECT min(id) AS id, variants FROM option_sets JOIN needed USING (variants) GROUP BY variants
  ), added AS (
    INSERT INTO option_sets (variants)
    SELECT variants FROM needed WHERE NOT EXISTS (SELECT FROM known WHERE known.variants = needed.variants)
    RETURNING id, variants
  ), sets AS (
    SELECT * FROM known UNION ALL SELECT * FROM added
  )
  UPDATE products SET
    price_cents = derived.price_cents, discount = derived.discount, compare_at_cents = derived.compare_at_cents,
    highest_cents = derived.highest_cents, is_available = derived.is_available, variant_count = derived.variant_count, colour_count = derived.colour_count,
    option_set = sets.id, option_words = derived.option_words, codes = derived.codes
  FROM derived LEFT JOIN sets ON sets.variants = derived.buyable_options
  WHERE derived.product_id = products.id
  AND (products.price_cents, products.discount, products.compare_at_cents, products.highest_cents, products.is_available, products.variant_count, products.colour_count, products.option_set, products.option_words, products.codes)
    IS DISTINCT FROM
    (derived.price_cents, derived.discount, derived.compare_at_cents, derived.highest_cents, derived.is_available, derived.variant_count, derived.colour_count, sets.id, derived.option_words, derived.codes);
  PERFORM tell_pages('product:' || id) FROM unnest(ids) AS id;
END $$;
--> statement-breakpoint
UPDATE products SET option_words = derived.option_words, codes = derived.codes
FROM derived_products(array(SELECT id FROM products)) derived WHERE derived.product_id = products.id;
--> statement-breakpoint
UPDATE products SET named = search_named(products);
--> statement-breakpoint
UPDATE products SET search = named || setweight(to_tsvector('russian', search_fold(regexp_replace(description, '<[^>]*>', ' ', 'g'))), 'D');
--> statement-breakpoint
INSERT INTO search_words (word) SELECT DISTINCT word FROM products, search_words_of_product(products) AS word ON CONFLICT DO NOTHING;
--> statement-breakpoint
INSERT INTO search_words (word) SELECT DISTINCT word FROM option_sets, search_words_of(option_sets.variants::text) AS word ON CONFLICT DO NOTHING;
--> statement-breakpoint
CREATE TRIGGER search_new_product BEFORE INSERT ON products FOR EACH ROW EXECUTE FUNCTION search_product();
--> statement-breakpoint
CREATE TRIGGER search_changed_product BEFORE UPDATE ON products FOR EACH ROW
WHEN ((OLD.name, OLD.brand, OLD.category, OLD.shop_name, OLD.tags, OLD.option_words, OLD.codes, OLD.description)
  IS DISTINCT FROM (NEW.name, NEW.brand, NEW.category, NEW.shop_name, NEW.tags, NEW.option_words, NEW.codes, NEW.description))
EXECUTE FUNCTION search_product();
--> statement-breakpoint
-- Cached searches are forgotten when the synonyms change.
CREATE FUNCTION synonyms_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM tell_pages('synonyms');
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER synonyms_changed AFTER INSERT OR UPDATE OR DELETE ON search_synonyms FOR EACH STATEMENT EXECUTE FUNCTION synonyms_changed();
--> statement-breakpoint
CREATE INDEX "products_named" ON "products" USING gin ("named");--> statement-breakpoint
CREATE INDEX "search_words_begin" ON "search_words" USING btree ("word" text_pattern_ops);--> statement-breakpoint
CREATE INDEX "search_words_stem" ON "search_words" USING btree ("stem");
