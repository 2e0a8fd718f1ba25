-- Products with the same buyable options share a row of `option_sets`, by which listings count their filters.
CREATE TABLE "option_sets" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "option_sets_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"variants" jsonb NOT NULL
);
--> statement-breakpoint
DROP INDEX "products_top";--> statement-breakpoint
DROP INDEX "products_category_top";--> statement-breakpoint
DROP INDEX "products_seller_top";--> statement-breakpoint
DROP INDEX "products_price";--> statement-breakpoint
DROP INDEX "products_category_price";--> statement-breakpoint
DROP INDEX "products_filters";--> statement-breakpoint
DROP INDEX "products_rating";--> statement-breakpoint
ALTER TABLE "products" ADD COLUMN "option_set" integer;--> statement-breakpoint
CREATE INDEX "option_sets_variants" ON "option_sets" USING hash ("variants");--> statement-breakpoint
-- Beside what it derived before: the different options of the variants that can be bought.
DROP FUNCTION derived_products(text[]);
--> statement-breakpoint
CREATE FUNCTION derived_products(ids text[])
RETURNS TABLE (product_id text, price_cents integer, discount numeric, compare_at_cents integer, highest_cents integer, is_available boolean, variant_count integer, colour_count integer, buyable_options jsonb)
LANGUAGE sql STABLE AS $$
  SELECT product.id,
    coalesce((array_agg(variant.price_cents ORDER BY can_be_bought DESC, variant.final_cents, position))[1], 0),
    coalesce((array_agg(variant.discount ORDER BY can_be_bought DESC, variant.final_cents, position))[1], 0),
    (array_agg(variant.compare_at_cents ORDER BY can_be_bought DESC, variant.final_cents, position))[1],
    coalesce(max(variant.final_cents) FILTER (WHERE can_be_bought), max(variant.final_cents), 0),
    coalesce(bool_or(can_be_bought), false),
    count(variant.id)::integer,
    count(DISTINCT colour_of(options))::integer,
    jsonb_agg(DISTINCT options ORDER BY options) FILTER (WHERE can_be_bought AND options <> '[]')
  FROM products product LEFT JOIN variants variant ON variant.product_id = product.id
  WHERE product.id = ANY (ids) GROUP BY product.id
$$;
--> statement-breakpoint
-- Its plan is kept by the connection, from when there were few sets: without sequential scans, it is right for many, too.
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
    option_set = sets.id
  FROM derived LEFT JOIN sets ON sets.variants = derived.buyable_options
  WHERE derived.product_id = products.id
  AND (products.price_cents, products.discount, products.compare_at_cents, products.highest_cents, products.is_available, products.variant_count, products.colour_count, products.option_set)
    IS DISTINCT FROM
    (derived.price_cents, derived.discount, derived.compare_at_cents, derived.highest_cents, derived.is_available, derived.variant_count, derived.colour_count, sets.id);
  PERFORM tell_pages('product:' || id) FROM unnest(ids) AS id;
END $$;
--> statement-breakpoint
DROP TRIGGER product_changed ON products;
--> statement-breakpoint
SELECT derive_products(array(SELECT id FROM products));
--> statement-breakpoint
CREATE INDEX "products_rating" ON "products" USING btree ("rating" DESC NULLS LAST,"id","final_cents","highest_cents","option_set","brand") WHERE is_visible;--> statement-breakpoint
CREATE INDEX "products_prices" ON "products" USING btree ("final_cents","highest_cents","category","rating","option_set","id") WHERE is_visible and final_cents <> highest_cents;--> statement-breakpoint
CREATE INDEX "products_option_set" ON "products" USING btree ("option_set","brand") WHERE is_visible;--> statement-breakpoint
CREATE INDEX "products_brand" ON "products" USING btree ("brand","option_set") WHERE is_visible;--> statement-breakpoint
CREATE INDEX "products_top" ON "products" USING btree ("units_sold" DESC NULLS LAST,"is_promoted" DESC NULLS LAST,"rating" DESC NULLS LAST,"id","final_cents","option_set","brand") WHERE is_visible;--> statement-breakpoint
CREATE INDEX "products_category_top" ON "products" USING btree ("category","units_sold" DESC NULLS LAST,"is_promoted" DESC NULLS LAST,"rating" DESC NULLS LAST,"id","final_cents","option_set","brand") WHERE is_visible;--> statement-breakpoint
CREATE INDEX "products_seller_top" ON "products" USING btree ("seller_id","units_sold" DESC NULLS LAST,"is_promoted" DESC NULLS LAST,"rating" DESC NULLS LAST,"id","option_set","brand") WHERE is_visible;--> statement-breakpoint
CREATE INDEX "products_price" ON "products" USING btree ("final_cents","id","rating","highest_cents","option_set","brand") WHERE is_visible;--> statement-breakpoint
CREATE INDEX "products_category_price" ON "products" USING btree ("category","final_cents","id","rating","highest_cents","option_set","brand") WHERE is_visible;--> statement-breakpoint
CREATE INDEX "products_filters" ON "products" USING btree ("category","rating","final_cents","highest_cents","option_set","brand") WHERE is_visible;
--> statement-breakpoint
CREATE TRIGGER product_changed AFTER UPDATE ON products FOR EACH ROW WHEN (
  (OLD.is_visible OR NEW.is_visible)
  AND (OLD.seller_id, OLD.slug, OLD.name, OLD.category, OLD.brand, OLD.shop_name, OLD.price_cents, OLD.discount, OLD.description,
      OLD.pictures, OLD.banner, OLD.is_promoted, OLD.is_visible, OLD.shipping_prices, OLD.rating, OLD.rating_count,
      OLD.highest_cents, OLD.is_available, OLD.variant_count, OLD.colour_count, OLD.option_set)
    IS DISTINCT FROM
     (NEW.seller_id, NEW.slug, NEW.name, NEW.category, NEW.brand, NEW.shop_name, NEW.price_cents, NEW.discount, NEW.description,
      NEW.pictures, NEW.banner, NEW.is_promoted, NEW.is_visible, NEW.shipping_prices, NEW.rating, NEW.rating_count,
      NEW.highest_cents, NEW.is_available, NEW.variant_count, NEW.colour_count, NEW.option_set)
) EXECUTE FUNCTION product_changed();
