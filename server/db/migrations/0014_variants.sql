-- Prices and stock move from the products to their variants. What listings need of a product is derived by triggers.
DROP TRIGGER product_changed ON products;--> statement-breakpoint
DROP TRIGGER variant_changed ON variants;--> statement-breakpoint
ALTER TABLE "cart_lines" DROP CONSTRAINT "cart_lines_user_product";--> statement-breakpoint
ALTER TABLE "products" DROP CONSTRAINT "products_stock";--> statement-breakpoint
ALTER TABLE "variants" DROP CONSTRAINT "variants_product_id_position_pk";--> statement-breakpoint
ALTER TABLE "products" ALTER COLUMN "price_cents" SET DEFAULT 0;--> statement-breakpoint
ALTER TABLE "variants" ALTER COLUMN "options" SET DEFAULT '[]'::jsonb;--> statement-breakpoint
ALTER TABLE "products" ADD COLUMN "highest_cents" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "products" ADD COLUMN "is_available" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "products" ADD COLUMN "variant_count" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "products" ADD COLUMN "colour_count" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "variants" ADD COLUMN "id" text DEFAULT gen_random_uuid() PRIMARY KEY NOT NULL;--> statement-breakpoint
ALTER TABLE "variants" ALTER COLUMN "id" DROP DEFAULT;--> statement-breakpoint
ALTER TABLE "variants" ADD COLUMN "barcode" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "variants" ADD COLUMN "discount" numeric(7, 4) DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "variants" ADD COLUMN "final_cents" integer GENERATED ALWAYS AS (price_cents - (floor(price_cents * discount / 10000))::integer * 100) STORED NOT NULL;--> statement-breakpoint
ALTER TABLE "variants" ADD COLUMN "sells_without_stock" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "variants" ADD COLUMN "can_be_bought" boolean GENERATED ALWAYS AS (stock > 0 or sells_without_stock) STORED NOT NULL;--> statement-breakpoint
ALTER TABLE "variants" ADD COLUMN "weight_grams" integer;--> statement-breakpoint
ALTER TABLE "variants" ADD COLUMN "picture" jsonb;--> statement-breakpoint
CREATE INDEX "variants_product" ON "variants" USING btree ("product_id","position");--> statement-breakpoint
-- Until now a variant had the price that shoppers pay, and a product the price before its discount.
UPDATE variants SET price_cents = product.price_cents, discount = product.discount, compare_at_cents = product.compare_at_cents
FROM products product WHERE product.id = product_id AND product.final_cents = variants.price_cents;
--> statement-breakpoint
-- The others have a price of their own. As `discountFor` in contract/rules.ts does: the discount is in whole dollars.
UPDATE variants SET
  price_cents = variants.price_cents + dollars_off * 100,
  discount = ceil(dollars_off * 100000000.0 / (variants.price_cents + dollars_off * 100)) / 10000
FROM (
  SELECT variant.id, (variant.compare_at_cents - variant.price_cents) / 100 AS dollars_off
  FROM variants variant JOIN products product ON product.id = variant.product_id
  WHERE variant.final_cents <> product.final_cents
) own
WHERE own.id = variants.id AND own.dollars_off >= 1;
--> statement-breakpoint
-- Only the product's stock was counted: missing units are taken from its last variants, surplus goes to the first.
UPDATE variants SET stock = spread.units
FROM (
  SELECT id, least(stock, greatest(there - before, 0)) + CASE WHEN place = 1 THEN greatest(there - total, 0) ELSE 0 END AS units
  FROM (
    SELECT variant.id, variant.stock, product.stock AS there,
      sum(variant.stock) OVER whole AS total,
      sum(variant.stock) OVER (whole ORDER BY position) - variant.stock AS before,
      row_number() OVER (whole ORDER BY position) AS place
    FROM variants variant JOIN products product ON product.id = variant.product_id
    WINDOW whole AS (PARTITION BY variant.product_id)
  ) counted
) spread
WHERE spread.id = variants.id;
--> statement-breakpoint
INSERT INTO variants (id, product_id, position, price_cents, discount, compare_at_cents, stock)
SELECT gen_random_uuid(), id, 0, price_cents, discount, compare_at_cents, stock FROM products
WHERE NOT EXISTS (SELECT 1 FROM variants WHERE product_id = products.id);
--> statement-breakpoint
UPDATE variants SET
  barcode = coalesce(extra->>'Variant Barcode', ''),
  weight_grams = CASE WHEN extra->>'Variant Grams' ~ '^\d{1,8}(\.0*)?$' THEN (extra->>'Variant Grams')::numeric::integer END,
  sells_without_stock = coalesce(extra->>'Variant Inventory Policy' = 'continue', false),
  extra = extra - 'Variant Barcode' - 'Variant Grams' - 'Variant Inventory Policy'
WHERE extra ?| array['Variant Barcode', 'Variant Grams', 'Variant Inventory Policy'];
--> statement-breakpoint
-- A cart line of a product with several variants stays without one until its customer has chosen.
ALTER TABLE "cart_lines" ADD COLUMN "variant_id" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "cart_lines" ALTER COLUMN "variant_id" DROP DEFAULT;--> statement-breakpoint
UPDATE cart_lines SET variant_id = sole.id
FROM (SELECT product_id, min(id) AS id FROM variants GROUP BY product_id HAVING count(*) = 1) sole
WHERE sole.product_id = cart_lines.product_id;
--> statement-breakpoint
-- Nobody knows which variant was ordered: cancelled units return to the first one.
ALTER TABLE "order_lines" ADD COLUMN "variant_id" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "order_lines" ALTER COLUMN "variant_id" DROP DEFAULT;--> statement-breakpoint
UPDATE order_lines SET variant_id = earliest.id
FROM (SELECT DISTINCT ON (product_id) product_id, id FROM variants ORDER BY product_id, position) earliest
WHERE earliest.product_id = order_lines.product_id;
--> statement-breakpoint
CREATE INDEX "order_lines_variant" ON "order_lines" USING btree ("variant_id");--> statement-breakpoint
ALTER TABLE "products" DROP COLUMN "stock";--> statement-breakpoint
ALTER TABLE "cart_lines" ADD CONSTRAINT "cart_lines_user_variant" UNIQUE("user_id","product_id","variant_id");--> statement-breakpoint
ALTER TABLE "variants" ADD CONSTRAINT "variants_price" CHECK ("variants"."price_cents" >= 0);--> statement-breakpoint
ALTER TABLE "variants" ADD CONSTRAINT "variants_discount" CHECK ("variants"."discount" between 0 and 100);--> statement-breakpoint
ALTER TABLE "variants" ADD CONSTRAINT "variants_stock" CHECK ("variants"."stock" >= 0 or "variants"."sells_without_stock");--> statement-breakpoint
CREATE FUNCTION colour_of(options jsonb) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT lower(option->>1) FROM jsonb_array_elements(options) AS option WHERE lower(option->>0) IN ('color', 'colour') LIMIT 1
$$;
--> statement-breakpoint
-- What products have of their variants: the price is that of the cheapest one that can be bought.
CREATE FUNCTION derived_products(ids text[])
RETURNS TABLE (product_id text, price_cents integer, discount numeric, compare_at_cents integer, highest_cents integer, is_available boolean, variant_count integer, colour_count integer)
LANGUAGE sql STABLE AS $$
  SELECT product.id,
    coalesce((array_agg(variant.price_cents ORDER BY can_be_bought DESC, variant.final_cents, position))[1], 0),
    coalesce((array_agg(variant.discount ORDER BY can_be_bought DESC, variant.final_cents, position))[1], 0),
    (array_agg(variant.compare_at_cents ORDER BY can_be_bought DESC, variant.final_cents, position))[1],
    coalesce(max(variant.final_cents) FILTER (WHERE can_be_bought), max(variant.final_cents), 0),
    coalesce(bool_or(can_be_bought), false),
    count(variant.id)::integer,
    count(DISTINCT colour_of(options))::integer
  FROM products product LEFT JOIN variants variant ON variant.product_id = product.id
  WHERE product.id = ANY (ids) GROUP BY product.id
$$;
--> statement-breakpoint
CREATE FUNCTION derive_products(ids text[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  -- Locked in one order: transactions that change several products then wait for each other without a deadlock.
  PERFORM 1 FROM products WHERE id = ANY (ids) ORDER BY id FOR NO KEY UPDATE;
  UPDATE products SET
    price_cents = derived.price_cents, discount = derived.discount, compare_at_cents = derived.compare_at_cents,
    highest_cents = derived.highest_cents, is_available = derived.is_available, variant_count = derived.variant_count, colour_count = derived.colour_count
  FROM derived_products(ids) derived
  WHERE derived.product_id = products.id
  AND (products.price_cents, products.discount, products.compare_at_cents, products.highest_cents, products.is_available, products.variant_count, products.colour_count)
    IS DISTINCT FROM
    (derived.price_cents, derived.discount, derived.compare_at_cents, derived.highest_cents, derived.is_available, derived.variant_count, derived.colour_count);
  PERFORM tell_pages('product:' || id) FROM unnest(ids) AS id;
END $$;
--> statement-breakpoint
CREATE FUNCTION variants_added() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM derive_products(array(SELECT DISTINCT product_id FROM added));
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE FUNCTION variants_removed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM derive_products(array(SELECT DISTINCT product_id FROM removed));
  RETURN NULL;
END $$;
--> statement-breakpoint
-- A plain sale (the stock falls but does not reach 0) changes no page: pages ask for the live number themselves.
CREATE FUNCTION variants_changed() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  ids text[] := array(
    SELECT DISTINCT after.product_id FROM new_rows after JOIN old_rows before USING (id)
    WHERE (before.can_be_bought, before.position, before.options, before.sku, before.barcode, before.price_cents, before.discount,
        before.compare_at_cents, before.picture)
      IS DISTINCT FROM
        (after.can_be_bought, after.position, after.options, after.sku, after.barcode, after.price_cents, after.discount,
        after.compare_at_cents, after.picture)
  );
BEGIN
  IF ids <> '{}' THEN PERFORM derive_products(ids); END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
SELECT derive_products(array(SELECT id FROM products));
--> statement-breakpoint
CREATE TRIGGER variants_added AFTER INSERT ON variants REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION variants_added();
--> statement-breakpoint
CREATE TRIGGER variants_removed AFTER DELETE ON variants REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION variants_removed();
--> statement-breakpoint
CREATE TRIGGER variants_changed AFTER UPDATE ON variants REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION variants_changed();
--> statement-breakpoint
CREATE TRIGGER product_changed AFTER UPDATE ON products FOR EACH ROW WHEN (
  (OLD.is_visible OR NEW.is_visible)
  AND (OLD.seller_id, OLD.slug, OLD.name, OLD.category, OLD.brand, OLD.shop_name, OLD.price_cents, OLD.discount, OLD.description,
      OLD.pictures, OLD.banner, OLD.is_promoted, OLD.is_visible, OLD.shipping_prices, OLD.rating, OLD.rating_count,
      OLD.highest_cents, OLD.is_available, OLD.variant_count, OLD.colour_count)
    IS DISTINCT FROM
     (NEW.seller_id, NEW.slug, NEW.name, NEW.category, NEW.brand, NEW.shop_name, NEW.price_cents, NEW.discount, NEW.description,
      NEW.pictures, NEW.banner, NEW.is_promoted, NEW.is_visible, NEW.shipping_prices, NEW.rating, NEW.rating_count,
      NEW.highest_cents, NEW.is_available, NEW.variant_count, NEW.colour_count)
) EXECUTE FUNCTION product_changed();
