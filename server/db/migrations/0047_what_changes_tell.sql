-- Tags, SKUs, barcodes and options that are sold out are found by searches, but no page shows them in a list.
CREATE FUNCTION searches_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM tell_pages('searches');
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER searches_changed AFTER UPDATE ON products FOR EACH ROW WHEN (
  (OLD.is_visible OR NEW.is_visible)
  AND (OLD.tags, OLD.codes, OLD.option_words) IS DISTINCT FROM (NEW.tags, NEW.codes, NEW.option_words)
) EXECUTE FUNCTION searches_changed();
--> statement-breakpoint
-- A shop without a banner changes none: its rating follows each review.
CREATE OR REPLACE FUNCTION seller_changed() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  seller sellers := CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END;
BEGIN
  IF TG_OP = 'UPDATE' AND (OLD.shop_name, OLD.is_hidden) IS DISTINCT FROM (NEW.shop_name, NEW.is_hidden) THEN
    UPDATE products SET shop_name = NEW.shop_name, is_shop_hidden = NEW.is_hidden WHERE seller_id = NEW.id;
  END IF;
  PERFORM tell_pages('seller:' || seller.id);
  PERFORM tell_pages('stores');
  PERFORM tell_pages('home');
  -- A new row has no OLD, a deleted one no NEW: their columns are null.
  IF coalesce(OLD.banner, NEW.banner) IS NOT NULL AND (OLD.banner, OLD.is_verified, OLD.rating, OLD.is_hidden) IS DISTINCT FROM (NEW.banner, NEW.is_verified, NEW.rating, NEW.is_hidden) THEN
    PERFORM tell_pages('banners');
  END IF;
  IF TG_OP <> 'UPDATE' OR (OLD.shipping_rates, OLD.is_hidden) IS DISTINCT FROM (NEW.shipping_rates, NEW.is_hidden) THEN
    PERFORM tell_pages('destinations');
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
-- A product that can be bought again appears among the latest ones, and among those that product pages recommend. The lists have
-- the orders and lengths of those in server/catalogue.
CREATE FUNCTION product_restocked() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM tell_pages(tag) FROM (
    SELECT 'latest' AS tag, ARRAY(
      SELECT id FROM products WHERE is_visible
      ORDER BY is_available DESC NULLS LAST, created_at DESC NULLS LAST, id LIMIT 9
    ) AS ids
    UNION ALL SELECT 'best-of-category:' || NEW.category, ARRAY(
      SELECT id FROM products WHERE is_visible AND category = NEW.category
      ORDER BY is_available DESC NULLS LAST, units_sold DESC NULLS LAST, is_promoted DESC NULLS LAST, rating DESC NULLS LAST, id LIMIT 13
    )
    UNION ALL SELECT 'best-of-store:' || NEW.seller_id, ARRAY(
      SELECT id FROM products WHERE is_visible AND seller_id = NEW.seller_id
      ORDER BY is_available DESC NULLS LAST, units_sold DESC NULLS LAST, is_promoted DESC NULLS LAST, rating DESC NULLS LAST, id LIMIT 10
    )
  ) lists WHERE NEW.id = ANY (ids);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER product_restocked AFTER UPDATE ON products FOR EACH ROW
WHEN (NEW.is_visible AND NEW.is_available AND NOT OLD.is_available) EXECUTE FUNCTION product_restocked();
--> statement-breakpoint
-- Hidden products count no more in the ratings of shops.
UPDATE sellers SET rating = fresh.rating FROM (
  SELECT seller.id, coalesce(round(avg(product.rating) FILTER (WHERE product.rating > 0)::numeric, 2), 0)::float8 AS rating
  FROM sellers seller LEFT JOIN products product ON product.seller_id = seller.id AND NOT product.is_hidden
  GROUP BY seller.id
) fresh WHERE sellers.id = fresh.id AND sellers.rating IS DISTINCT FROM fresh.rating;
